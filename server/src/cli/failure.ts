/** The command was called wrongly: exit code 2. */
export class UsageError extends Error {}

/** The command was right, but what it asks for cannot be done: exit code 1. */
export class CommandFailure extends Error {}
