import { expect, it } from 'vitest';
import { complaintOf } from './check.ts';
import { reportOf } from './report.ts';
import { Rounds } from './round.ts';

/** How many, and for how long at most. What does not fit into the time is said, not left out in silence. */
const ROUNDS = Number(process.env.LARDER_ROUNDS ?? 2_000);
const MINUTES = Number(process.env.LARDER_MINUTES ?? 20);
const FIRST_SEED = Number(process.env.LARDER_SEED ?? Math.floor(Math.random() * 0x1_0000_0000));
/** A household is given up after so many, so that its log and its database stay small. */
const ROUNDS_OF_A_HOUSEHOLD = 100;

it(`${ROUNDS} rounds of two hundred operations agree with the model`, { timeout: (MINUTES + 5) * 60_000 }, async () => {
  const deadline = Date.now() + MINUTES * 60_000;
  const complaints: string[] = [];
  let played = 0;
  let undecided = 0;
  while (played < ROUNDS && Date.now() < deadline && complaints.length < 5) {
    const rounds = await Rounds.open();
    try {
      for (let count = 0; count < ROUNDS_OF_A_HOUSEHOLD && played < ROUNDS && Date.now() < deadline; count += 1) {
        const round = await rounds.play((FIRST_SEED + played) >>> 0);
        played += 1;
        const complaint = complaintOf(round);
        if (complaint?.kind === 'undecided') undecided += 1;
        else if (complaint !== null) complaints.push(reportOf(round, complaint));
        // What a wrong round has left must not be blamed on the next one.
        if (complaint !== null) break;
      }
    } finally {
      await rounds.close();
    }
  }
  process.stdout.write(`${played} of ${ROUNDS} rounds played, from seed ${FIRST_SEED}; ${undecided} undecided\n`);
  expect(complaints).toEqual([]);
  expect(undecided).toBeLessThanOrEqual(played / 100);
});
