// Texts of the list of jobs.

export const jobs = {
  jobs: {
    open: "Jobs",
    title: "Jobs",
    close: "Close",
    none: "No jobs yet",
    noneText: "Each model that is uploaded is imported by a job.",
    all: "All",
    more: "Show more",
    filter: "State",
    kinds: { import: "Import", refresh: "Refresh of facts" } as Record<string, string>,
    states: {
      queued: "Waiting",
      running: "Running",
      succeeded: "Succeeded",
      failed: "Failed",
      cancelled: "Cancelled",
    } as Record<string, string>,
    bulk: "bulk",
    attempts: (count: number) => `attempt ${count}`,
    next: (time: string) => `next attempt at ${time}`,
    cancel: "Cancel",
    cancelOf: (name: string) => `Cancel the job of ${name}`,
    retry: "Retry",
    retryOf: (name: string) => `Retry the job of ${name}`,
    cancelling: "The job ends as soon as its work can be stopped",
    retrying: "The job begins again",
  },
};
