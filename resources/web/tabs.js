/** A task is edited in one tab at a time; other tabs are read-only and can take over. */

const HEARTBEAT = 400; // milliseconds until the active tab must respond, without Web Locks

/**
 * Request to be the active tab.
 * @param {string} assignment
 * @param {() => void} gained called when this tab may write, now or later
 * @param {() => void} lost called when another tab took over
 * @returns {Promise<{ working: boolean, take: () => void }>} `take` takes over from the active tab
 */
export async function claim(assignment, gained, lost) {
  const name = `irjudge ${assignment}`;
  try {
    return await byLock(name, gained, lost);
  } catch {
    return byHeartbeat(name, gained, lost);
  }
}

/**
 * @param {string} name
 * @param {() => void} gained
 * @param {() => void} lost
 */
async function byLock(name, gained, lost) {
  const hold = () => {
    gained();
    return new Promise(() => {});
  };
  const stolen = () => {
    lost();
    void navigator.locks.request(name, hold).catch(stolen); // wait for the lock again
  };
  const working = await new Promise((resolve, reject) => {
    const asked = navigator.locks.request(name, { ifAvailable: true }, (lock) => {
      resolve(Boolean(lock));
      return lock ? hold() : undefined;
    });
    asked.catch((error) => (error.name === "AbortError" ? stolen() : reject(error)));
  });
  if (!working) {
    void navigator.locks.request(name, hold).catch(stolen);
  }
  return { working, take: () => void navigator.locks.request(name, { steal: true }, hold).catch(stolen) };
}

/**
 * @param {string} name
 * @param {() => void} gained
 * @param {() => void} lost
 */
async function byHeartbeat(name, gained, lost) {
  let working = false;
  const channel = new BroadcastChannel(name);
  const heard = new Promise((resolve) => {
    channel.onmessage = (message) => {
      if (message.data === "here") {
        resolve(true);
      } else if (message.data === "who" && working) {
        channel.postMessage("here");
      } else if (message.data === "mine" && working) {
        working = false;
        lost();
      }
    };
    setTimeout(() => resolve(false), HEARTBEAT);
  });
  const take = () => {
    channel.postMessage("mine");
    working = true;
    gained();
  };
  channel.postMessage("who");
  if (!(await heard)) {
    take();
  }
  return { working, take };
}
