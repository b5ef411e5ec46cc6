// How long something takes, whatever else the machine does meanwhile.

/** In ms of a processor, of this thread alone. */
export function msWorked(work: () => void): number {
  const began = process.threadCpuUsage()
  work()
  const { user, system } = process.threadCpuUsage(began)
  return (user + system) / 1_000
}
