// Grafana, which sends no delivery id. github.com/grafana/alerting, http/hmac.go
import { sender, usual } from '../sender.ts'
import { bodySigned, timestampOf } from '../signed.ts'

export default sender({
  proofs: {
    grafana: {
      ...usual('X-Grafana-Alerting-Signature'),
      takes: ['header', 'timestamp', 'tolerance'],
      // It lets its user name both headers.
      schemes({ header, timestamp, tolerance = bodySigned.tolerance }) {
        const scheme = {
          ...bodySigned,
          header: (header ?? 'x-grafana-alerting-signature').toLowerCase(),
          tolerance,
        }
        return [timestamp ? { ...scheme, signed: '{ts}:{body}', timestamp: timestampOf(timestamp) } : scheme]
      },
      setup: {
        name: 'Grafana',
        page: 'Alerting > Contact points > Add contact point > Webhook; HMAC Signature',
        url: 'URL',
        secret: 'Secret',
      },
    },
  },
})
