import fc from 'fast-check'

/**
 * Any code point, a third of them of the first 256, and halves of a pair too. The unit `binary` of fast-check is that as well,
 * but takes seconds to set up, and hardly ever makes a control character.
 */
export const character = fc
  .oneof(fc.nat(0xff), fc.nat(0xffff), fc.nat(0x10ffff))
  .map((point) => String.fromCodePoint(point))
