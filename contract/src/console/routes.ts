/** The prefix of every path in this table. */
export const CONSOLE_BASE_PATH = '/console/api';

/** Method and path of every console endpoint. In a file without the schema library, so that the web app does not bundle it. */
export const CONSOLE_ROUTES = {
  signIn: 'POST /session',
  readSession: 'GET /session',
  signOut: 'DELETE /session',
  readSignInWays: 'GET /sign-in-ways',
  startSingleSignOn: 'GET /single-sign-on',
  finishSingleSignOn: 'GET /single-sign-on/return',
  requestPasswordReset: 'POST /password-reset',
  resetPassword: 'PUT /password-reset',
  readInvitation: 'POST /invitation/reading',
  acceptInvitation: 'POST /invitation',
  updateProfile: 'PUT /profile',
  changePassword: 'PUT /profile/password',
  startSecondFactor: 'POST /profile/second-factor',
  confirmSecondFactor: 'PUT /profile/second-factor',
  removeSecondFactor: 'POST /profile/second-factor/removal',
  renewRecoveryCodes: 'POST /profile/second-factor/recovery-codes',
  listStaff: 'GET /staff',
  inviteStaff: 'POST /staff/invitations',
  withdrawStaffInvitation: 'DELETE /staff/invitations/:id',
  changeStaffRole: 'PUT /staff/:id/role',
  removeStaff: 'DELETE /staff/:id',
  listOperatorActs: 'GET /acts',
  exportOperatorActs: 'GET /acts.csv',
  exportOperatorActLines: 'GET /acts.jsonl',
  listInbox: 'GET /inbox',
  changeInboxEntry: 'POST /inbox/:key',
  listAssignableDrivers: 'GET /shipments/:id/drivers',
  assignShipment: 'POST /shipments/:id/assignment',
  setShipmentLocation: 'PUT /shipments/:id/location',
  confirmDelivery: 'POST /shipments/:id/delivery',
  resolveIncident: 'POST /shipments/:id/incident',
  resumeWebhook: 'POST /webhooks/:id/resumption',
  retryMessage: 'POST /messages/:id/retry',
  creditAccount: 'POST /accounts/:id/credit',
  listApprovals: 'GET /approvals',
  decideApproval: 'POST /approvals/:id',
} as const;

export type ConsoleEndpointName = keyof typeof CONSOLE_ROUTES;
