import fastJsonStringify from 'fast-json-stringify';
import type { FastifySerializerCompiler } from 'fastify';

/** When it is first used, as validators are. */
export const compileSerializer: FastifySerializerCompiler<object> = ({ schema }) => {
  let compiled: ((document: unknown) => string) | undefined;
  return (document) => {
    compiled ??= fastJsonStringify(schema);
    return compiled(document);
  };
};
