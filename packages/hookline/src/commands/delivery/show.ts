// `hookline bot deliveries show`
import { done } from '../../control/failure.ts'
import { verb } from '../command.ts'
import { NEEDS_SERVER } from '../shared.ts'
import { print } from '../terminal.ts'
import { DETAILS, detailsOf, noDelivery } from './delivery.ts'
import { deliveryDetails } from './lines.ts'

export default verb({
  details: 'The payload is as received. Headers that authenticate the sender are not kept.',
  arguments: [{ name: 'id', description: 'id of the delivery', required: true }],
  options: [],
  changes: false,
  where: 'server',
  examples: [
    { run: 'hookline bot deliveries show d-1m7z3k1qcne6jhqfh', shows: 'the payload and its outcome' },
  ],
  exits: { 1: 'no such delivery', ...NEEDS_SERVER },
  output: DETAILS,

  async run({ running }, { id }) {
    const row = await running.store.deliveries.get(id)
    return row ? done(detailsOf(row)) : noDelivery(id)
  },

  show: (delivery) => print(deliveryDetails(delivery)),
})
