// Shared setup of the account tests: rules without waiting.

/** A hash costs next to nothing. */
export const rules = {
  place: { ipv4Bits: 32, ipv6Bits: 64 },
  cost: 4,
  keepsScram: true,
  nameLength: 32,
  shortestPassword: 3,
  needsEmail: false,
  failuresPerAccount: 3,
  failuresPerAddress: 4,
  failuresPerHour: 10,
  newPerHour: 2,
}
