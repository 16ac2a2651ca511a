/** SHA-256, because pages served over plain http have no Web Crypto. */

const PRIMES = firstPrimes(64);
const FRACTIONS = Uint32Array.from(PRIMES, (prime) => fraction(Math.cbrt(prime)));
const W = new Uint32Array(64); // message schedule of a block, and the working variables of the standard
const V = new Uint32Array(8);
const INITIAL_STATE = Uint32Array.from(PRIMES.slice(0, 8), (prime) => fraction(Math.sqrt(prime)));

/**
 * Return the SHA-256 of a text's UTF-8 bytes (FIPS 180-4).
 * @param {string} text
 * @returns {string} 64 lower-case hexadecimal digits
 */
export function sha256(text) {
  const bytes = new TextEncoder().encode(text);
  const blocks = ((bytes.length + 8) >> 6) + 1;
  const padded = new DataView(new ArrayBuffer(blocks * 64));
  new Uint8Array(padded.buffer).set(bytes);
  padded.setUint8(bytes.length, 0x80);
  padded.setUint32(blocks * 64 - 8, Math.floor(bytes.length / 0x20000000));
  padded.setUint32(blocks * 64 - 4, bytes.length << 3);
  const state = INITIAL_STATE.slice();
  for (let block = 0; block < blocks; block += 1) {
    mix(state, padded, block * 64);
  }
  return Array.from(state, (word) => word.toString(16).padStart(8, "0")).join("");
}

/**
 * @param {Uint32Array} state
 * @param {DataView} data
 * @param {number} begin
 */
function mix(state, data, begin) {
  for (let t = 0; t < 64; t += 1) {
    W[t] = t < 16 ? data.getUint32(begin + 4 * t) : spread(W[t - 2], 17, 19, 10) + W[t - 7] + spread(W[t - 15], 7, 18, 3) + W[t - 16];
  }
  const v = V;
  v.set(state);
  for (let t = 0; t < 64; t += 1) {
    const a = v[0];
    const e = v[4];
    const one = v[7] + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & v[5]) ^ (~e & v[6])) + FRACTIONS[t] + W[t];
    const two = (turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & v[1]) ^ (a & v[2]) ^ (v[1] & v[2]));
    v[7] = v[6];
    v[6] = v[5];
    v[5] = v[4];
    v[4] = v[3] + one;
    v[3] = v[2];
    v[2] = v[1];
    v[1] = v[0];
    v[0] = one + two;
  }
  for (let place = 0; place < 8; place += 1) {
    state[place] += v[place];
  }
}

/** @param {number} word @param {number} bits @returns {number} */
function turn(word, bits) {
  return (word >>> bits) | (word << (32 - bits));
}

/** @param {number} word @param {number} one @param {number} two @param {number} shift @returns {number} */
function spread(word, one, two, shift) {
  return turn(word, one) ^ turn(word, two) ^ (word >>> shift);
}

/** @param {number} value @returns {number} its first 32 bits behind the point */
function fraction(value) {
  return Math.floor((value % 1) * 0x100000000);
}

/** @param {number} count @returns {number[]} */
function firstPrimes(count) {
  const primes = /** @type {number[]} */ ([]);
  for (let candidate = 2; primes.length < count; candidate += 1) {
    if (primes.every((prime) => candidate % prime)) {
      primes.push(candidate);
    }
  }
  return primes;
}
