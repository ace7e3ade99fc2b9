import { sipHash, type SipKey } from './sip-hash.js';

/** The bytes 00 to 0f. */
const KEY: SipKey = [0x03020100, 0x07060504, 0x0b0a0908, 0x0f0e0d0c];

/** The reference's, of 00 01 02 … in 0, 2, 4 … 62 bytes: a unit of a text is two. */
const VECTORS = [
  ...[0x726fdb47dd0e0e31n, 0x0d6c8009d9a94f5an, 0xcf2794e0277187b7n, 0xcbc9466e58fee3cen, 0x93f5f5799a932462n],
  ...[0x7a5dbbc594ddb9f3n, 0x751e8fbc860ee5fbn, 0xf723ca908e7af2een, 0x3f2acc7f57c29bdbn, 0x4bc1b3f0968dd39cn],
  ...[0xbed65cf21aa2ee98n, 0x93536795e3a33e88n, 0xb8ad50c6f649af94n, 0x17d835b85bbb15f3n, 0xde4daaaca71dc9a5n],
  ...[0xad87a3535c49ef28n, 0x7127512f72f27ccen, 0x12e0b01abb051238n, 0x314dffbe0815a3b4n, 0xcadcd4e59ef40c4dn],
  ...[0x0e3ea96b5304a7d0n, 0x187306c89bc215a9n, 0xf935451de4f21df2n, 0xdb9acddff56ca510n, 0xe612a3cb9ecba951n],
  ...[0xee64435a9752fe72n, 0x0a8787bf8ecb74b2n, 0x7fa8220ba3b2ecean, 0xb78dbfaf3a8d83bdn, 0x60e61c23a3795013n],
  ...[0x6ca4ecb15c5f91e1n, 0xe51b38608ef25f57n],
];

it('SipHash-2-4 has the published vectors', () => {
  const found = VECTORS.map((_, units) => {
    const bytes = Buffer.from(Array.from({ length: 2 * units }, (__, at) => at));
    const halves = { high: 0, low: 0 };
    sipHash(KEY, bytes.toString('utf16le'), halves);
    return (BigInt(halves.high >>> 0) << 32n) | BigInt(halves.low >>> 0);
  });
  expect(found).toEqual(VECTORS);
});
