// How much work something is. Tests compare it with other work on the same machine, so that none depends on the machine's speed, or on
// what else it has to do.

const processorTime = work => {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
};

// Ten million steps of simple arithmetic, at their quickest.
const measure = () => processorTime(() => {
  let sum = 0;
  for (let step = 0; step < 1e7; step += 1) sum = Math.imul(sum ^ step, 0x2c1b3c6d);
  if (sum == 1) throw Error('never');
});
let reference;

// The processor's time for some work, as a multiple of the time for ten million simple steps: the least of three, since the other
// threads of the process, which tidy its memory, count too, and what else the machine does makes each of them slower.
export const effort = work => {
  reference ??= Math.min(...Array.from({ length: 5 }, measure));
  return Math.min(...Array.from({ length: 3 }, () => processorTime(work))) / reference;
};
