import { isForbiddenPort } from '../../adapters/endpoint/forbidden-ports.ts';
import { isForbiddenHost, type TargetRules } from '../../adapters/endpoint/target-rules.ts';
import { refuseWithDashboardSlug } from '../../refusals/dashboard-refusal.ts';

/** Host name and port: the key of the request budget. */
export function hostAndPort(url: string): string {
  const { protocol, hostname, port } = new URL(url);
  return `${hostname.replace(/\.$/, '')}:${port || (protocol === 'https:' ? 443 : 80)}`;
}

/** Refuses an address that could never be sent to, so that the merchant gets the error when saving it. */
export function checkTarget(url: string, rules: Omit<TargetRules, 'resolve'>): void {
  const target = URL.canParse(url) ? new URL(url) : refuseWithDashboardSlug('WEBHOOK_URL_UNREADABLE');
  if (!['http:', 'https:'].includes(target.protocol)) {
    refuseWithDashboardSlug('WEBHOOK_URL_NOT_HTTP');
  }
  if (target.username || target.password) {
    refuseWithDashboardSlug('WEBHOOK_URL_WITH_PASSWORD');
  }
  if (isForbiddenPort(target.port)) {
    refuseWithDashboardSlug('WEBHOOK_URL_FORBIDDEN_PORT');
  }
  if (isForbiddenHost(target, rules)) refuseWithDashboardSlug('WEBHOOK_URL_NOT_PUBLIC');
}
