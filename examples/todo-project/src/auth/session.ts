import { randomUUID } from "node:crypto";

export interface Session {
  readonly id: string;
  readonly userId: string;
  readonly createdAt: Date;
}

const sessions = new Map<string, Session>();

export function openSession(userId: string, now: Date): Session {
  const session = { id: randomUUID(), userId, createdAt: now };
  sessions.set(session.id, session);
  return session;
}

export function findSession(id: string): Session | undefined {
  // TODO: expire sessions after 30 days
  return sessions.get(id);
}

export function closeSession(id: string): void {
  // TODO: tell the other devices of the user
  sessions.delete(id);
}
