// How often tests do what they do at random: a few times for every change, many times as HOOKLINE_ROUNDS of them, in `npm run trust`.

/** What `npm test` does in one round is done so many times. */
export const ROUNDS = Number(process.env['HOOKLINE_ROUNDS'] ?? 1)
