import type { OpenAPIHono, RouteConfig } from '@hono/zod-openapi';
import type { Handler } from 'hono';

type Route = RouteConfig & { getRoutingPath(): string };

/** A call of the API: what its description says of it, and what it does. */
export interface Call {
  readonly route: Route;
  readonly handler: Handler;
}

/** Adds the call and its description. Requests are read by the contract's own rules, so the description validates nothing. */
export function addCall(app: OpenAPIHono, { route, handler }: Call): void {
  app.openAPIRegistry.registerPath(route);
  app.on(route.method.toUpperCase(), route.getRoutingPath(), handler);
}
