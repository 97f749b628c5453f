import type { Endpoint, FieldError } from '@navette/contract';
import { ERROR_SLUGS } from '@navette/contract';
import type { ErrorObject } from 'ajv';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { causeOf, createFailureLog } from '../observability/failure-log.ts';
import { accountMoving, fieldErrors, isAccountMoving, Refusal, refusal } from '../refusals/refusal.ts';
import { toFieldErrors, toWebFieldErrors } from '../validation/field-errors.ts';

declare module 'fastify' {
  interface FastifyReply {
    /** The envelope of the refusal that was sent. */
    refusal: Record<string, unknown> | null;
    /** The cause of an unexpected failure, whatever the status of the response: see causeOf. */
    failure: string | null;
  }
}

const RETRY_AFTER_SECONDS = 5; // an account that is moved is frozen for some seconds

/** Turns every error into an envelope of the contract. No other code does. */
export function handleErrors(app: FastifyInstance): void {
  app.decorateReply('refusal', null);
  app.decorateReply('failure', null);
  const report = createFailureLog(app.log);
  app.setNotFoundHandler(sendUnknownRoute);
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const refusal = toRefusal(error, request);
    if (refusal) return send(reply, refusal);
    reply.failure = causeOf(error);
    report(error, { reqId: request.id, traceId: request.trace?.traceId }, 'request failed');
    // Before authentication has succeeded, all endpoints share one envelope.
    return send(reply, unexpected(request.id, request.caller ? request.routeOptions.config.endpoint : undefined));
  });
}

export function sendUnknownRoute(request: FastifyRequest, reply: FastifyReply) {
  return send(reply, new Refusal(404, { message: `Route introuvable : ${request.method} ne répond pas ici.` }));
}

function send(reply: FastifyReply, { status, envelope }: Refusal) {
  reply.refusal = envelope;
  if (status === 503) reply.header('retry-after', RETRY_AFTER_SECONDS);
  return reply.status(status).type('application/json; charset=utf-8').serializer(JSON.stringify).send(envelope);
}

/** Null for an error that nobody expects. */
function toRefusal(error: FastifyError, request: FastifyRequest): Refusal | null {
  const endpoint = request.routeOptions.config.endpoint;
  if (isAccountMoving(error)) return accountMoving();
  const known = error instanceof Refusal ? error : readFrameworkError(error, request);
  if (known && request.routeOptions.config.dashboardEndpoint) return withSlug(known);
  return known && isWebhookWrite(endpoint) && known.status === 400 ? asValidationError(known) : known;
}

/** Errors that Fastify raises itself: an unreadable body, or one that fails its schema. */
function readFrameworkError(error: FastifyError, request: FastifyRequest): Refusal | null {
  if (error.validation) return fieldErrors(allFieldErrors(request));
  switch (error.statusCode) {
    case 400:
      return new Refusal(400, {
        message: `Requête illisible : ${error.code === 'FST_ERR_CTP_INVALID_JSON_BODY' || error instanceof SyntaxError ? 'le corps n’est pas du JSON valide.' : 'vérifiez le corps et les en-têtes.'}`,
      });
    case 413:
      return new Refusal(413, {
        message: `Corps trop volumineux : au plus ${request.routeOptions.bodyLimit} octets.`,
      });
    case 415:
      return new Refusal(415, {
        message: 'Type de contenu non pris en charge : envoyez « Content-Type: application/json ».',
      });
    default:
      return null;
  }
}

const PARTS = { params: 'params', body: 'body', querystring: 'query', headers: 'headers' } as const;

/** Fastify stops at the first invalid part of a request; the response lists the errors of all parts. */
function allFieldErrors(request: FastifyRequest): FieldError[] {
  const { dashboardEndpoint, consoleEndpoint } = request.routeOptions.config;
  const describe = (dashboardEndpoint ?? consoleEndpoint) ? toWebFieldErrors : toFieldErrors;
  return Object.entries(PARTS).flatMap(([part, location]) => {
    const validate = request.getValidationFunction(part as keyof typeof PARTS);
    if (!validate) return [];
    const passed: unknown = validate(request[location]);
    const errors = passed === true ? [] : ((passed as { error?: ErrorObject[] }).error ?? validate.errors ?? []);
    return describe(errors as ErrorObject[], location);
  });
}

const withSlug = (known: Refusal): Refusal =>
  known.dashboardSlug ? new Refusal(known.status, { error: known.dashboardSlug, ...known.envelope }) : known;

const isWebhookWrite = (endpoint: Endpoint | undefined) => endpoint?.unexpectedFailure === 'validation-error';

function asValidationError({ status, envelope }: Refusal): Refusal {
  if (envelope.error) return new Refusal(status, envelope);
  const details = envelope.errors
    ? (envelope.errors as { path: string; msg: string }[]).map(({ path, msg }) => `${path}: ${msg}`).join(' ')
    : String(envelope.message);
  return new Refusal(400, { error: 'VALIDATION_ERROR', message: 'Requête refusée.', details });
}

/** Contains the request id, by which support finds the log line; never a query, a host or a stack. */
function unexpected(requestId: string, endpoint: Endpoint | undefined): Refusal {
  const message = `${ERROR_SLUGS.INTERNAL_ERROR.message} Indiquez cette référence au support : ${requestId}`;
  if (endpoint?.unexpectedFailure === 'message-only') return new Refusal(400, { message });
  if (endpoint?.unexpectedFailure === 'validation-error') {
    return new Refusal(400, { error: 'VALIDATION_ERROR', message, details: requestId });
  }
  return new Refusal(500, { ...refusal('INTERNAL_ERROR').envelope, message });
}
