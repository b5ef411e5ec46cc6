// One line for each alert in the group, except alerts with severity "quiet".

interface Alert {
  readonly status: 'firing' | 'resolved'
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
}

export async function handle(payload: { readonly alerts: readonly Alert[] }): Promise<string | null> {
  const lines = payload.alerts
    .filter(({ labels }) => labels['severity'] !== 'quiet')
    .map(({ status, labels, annotations }) => {
      const { alertname = 'alert', instance } = labels
      const state = status === 'firing' ? 'FIRING' : 'resolved'
      const where = instance === undefined ? '' : ` at ${instance}`
      return `${state}: ${alertname}${where}: ${annotations['summary'] ?? 'no summary'}`
    })
  return lines.length > 0 ? lines.join('\n') : null
}
