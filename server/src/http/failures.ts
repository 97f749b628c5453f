import type { Endpoint, FieldError } from '@navette/contract';
import { ERROR_SLUGS } from '@navette/contract';
import type { ErrorObject } from 'ajv';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { fieldErrors, Refusal, refusal } from './refusal.ts';
import { toDashboardFieldErrors, toFieldErrors } from './validation.ts';

declare module 'fastify' {
  interface FastifyReply {
    /** The envelope of the refusal that was answered. */
    refusal: Record<string, unknown> | null;
  }
}

/** The one place where a failure becomes an envelope of the contract. */
export function answerFailures(app: FastifyInstance): void {
  app.decorateReply('refusal', null);
  app.setNotFoundHandler(answerUnknownRoute);
  app.setErrorHandler((error: FastifyError, request, reply) => send(reply, toRefusal(error, request)));
}

export function answerUnknownRoute(request: FastifyRequest, reply: FastifyReply) {
  return send(reply, new Refusal(404, { message: `Route introuvable : ${request.method} ne répond pas ici.` }));
}

function send(reply: FastifyReply, { status, envelope }: Refusal) {
  reply.refusal = envelope;
  return reply.status(status).type('application/json; charset=utf-8').serializer(JSON.stringify).send(envelope);
}

function toRefusal(error: FastifyError, request: FastifyRequest): Refusal {
  const endpoint = request.routeOptions.config.endpoint;
  const known = error instanceof Refusal ? error : readFrameworkError(error, request);
  if (known && request.routeOptions.config.dashboardEndpoint) return withSlug(known);
  if (known) return isWebhookWrite(endpoint) && known.status === 400 ? asValidationError(known) : known;
  request.log.error({ reqId: request.id, err: error }, 'request failed');
  // Until the caller is let in, it is the access control that failed, whose envelope all endpoints share.
  return unexpected(request.id, request.caller ? endpoint : undefined);
}

/** What Fastify refuses by itself: a body it cannot read, or one that breaks its schema. */
function readFrameworkError(error: FastifyError, request: FastifyRequest): Refusal | null {
  const { endpoint, dashboardEndpoint } = request.routeOptions.config;
  if (error.validation) return fieldErrors(allFieldErrors(request));
  switch (error.statusCode) {
    case 400:
      return new Refusal(400, {
        message: `Requête illisible : ${error.code === 'FST_ERR_CTP_INVALID_JSON_BODY' || error instanceof SyntaxError ? 'le corps n’est pas du JSON valide.' : 'vérifiez le corps et les en-têtes.'}`,
      });
    case 413:
      return new Refusal(413, {
        message: `Corps trop volumineux : au plus ${(endpoint ?? dashboardEndpoint)?.bodyLimit ?? 1_048_576} octets.`,
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

/** Fastify stops at the first part of a request that is wrong; the caller is told of all of them. */
function allFieldErrors(request: FastifyRequest): FieldError[] {
  const describe = request.routeOptions.config.dashboardEndpoint ? toDashboardFieldErrors : toFieldErrors;
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

/** Names the request so that support can find it in the log; never a query, a host or a stack. */
function unexpected(requestId: string, endpoint: Endpoint | undefined): Refusal {
  const message = `${ERROR_SLUGS.INTERNAL_ERROR.message} Indiquez cette référence au support : ${requestId}`;
  if (endpoint?.unexpectedFailure === 'message-only') return new Refusal(400, { message });
  if (endpoint?.unexpectedFailure === 'validation-error') {
    return new Refusal(400, { error: 'VALIDATION_ERROR', message, details: requestId });
  }
  return new Refusal(500, { ...refusal('INTERNAL_ERROR').envelope, message });
}
