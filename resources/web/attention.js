/** Active time: pauses longer than a threshold count as the threshold. */

/** Sum of milliseconds between user events. */
export class ActiveTime {
  /** @param {number} idleMs a longer gap counts as this much */
  constructor(idleMs) {
    this.idleMs = idleMs;
    /** @type {number | null} */
    this.last = null;
    this.sum = 0;
  }

  /** Restart after rendering. @param {number} [sum] active milliseconds of earlier presentations */
  start(sum = 0) {
    this.last = performance.now();
    this.sum = sum;
  }

  /** Record a user event: key, mouse or scroll. */
  touch() {
    if (this.last !== null) {
      const now = performance.now();
      this.sum += Math.min(now - this.last, this.idleMs);
      this.last = now;
    }
  }

  /** @returns {number} the active milliseconds since the start; 0 when it was never started */
  stop() {
    this.touch();
    return Math.min(Math.round(this.sum), 1e9);
  }
}

/** Counts and view times of opened results, left and right. */
export class DocumentOpenings {
  constructor() {
    /** @type {[number, number]} */
    this.opens = [0, 0];
    /** @type {[number, number]} */
    this.dwell = [0, 0];
    /** @type {{ side: number, place: number } | null} the result that is open */
    this.at = null;
    this.since = 0;
  }

  /** @param {number} side @param {number} place */
  open(side, place) {
    this.close();
    this.at = { side, place };
    this.since = performance.now();
    this.opens[side] += 1;
  }

  /** @returns {{ side: number, place: number } | null} what was open */
  close() {
    const { at } = this;
    if (at) {
      this.dwell[at.side] += performance.now() - this.since;
    }
    this.at = null;
    return at;
  }

  /** @returns {[number, number]} milliseconds, left and right */
  get dwellMs() {
    return [Math.round(this.dwell[0]), Math.round(this.dwell[1])];
  }
}
