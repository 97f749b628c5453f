/** Wrong usage of a command: exit code 2. */
export class UsageError extends Error {}

/** Correct usage, but the command cannot be executed: exit code 1. */
export class CommandFailure extends Error {}
