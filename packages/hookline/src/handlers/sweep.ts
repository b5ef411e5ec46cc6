// Without a namespace, a process that a worker started may have left its group. Its environment still tells whose it is.
import { readdir, readFile } from 'node:fs/promises'

/** The variable that everything a worker starts inherits; each worker has its own value. */
export const WORKER_MARK = 'HOOKLINE_WORKER'

/** Kills every process with this mark, until none is left; on Linux only, where /proc shows the environment. Never rejects. */
export async function sweep(mark: string): Promise<void> {
  if (process.platform !== 'linux') return
  // Ends even what forks continuously: each round kills every process that could fork.
  for (let rounds = 0; rounds < 100; rounds++) {
    const marked = await findMarked(mark)
    if (marked.length === 0) return
    for (const pid of marked) kill(pid)
  }
}

async function findMarked(mark: string): Promise<readonly number[]> {
  const pids = (await readdir('/proc').catch(() => [])).map(Number).filter((pid) => pid > 0)
  const marked = await Promise.all(
    pids.map(async (pid) => {
      // One that cannot be read has ended, or is another user's. A zombie's environment is empty.
      const environment = await readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '')
      return environment.split('\0').includes(`${WORKER_MARK}=${mark}`)
    }),
  )
  return pids.filter((_, index) => marked[index])
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // ESRCH: it has ended by itself.
  }
}
