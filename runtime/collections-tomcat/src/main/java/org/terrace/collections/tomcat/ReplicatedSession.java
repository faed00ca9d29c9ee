package org.terrace.collections.tomcat;

import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import org.apache.catalina.session.StandardSession;
import org.jspecify.annotations.Nullable;

/**
 * A session whose attributes lie in the replicated map; this object is only this server's handle of
 * it. Thread-safe as Tomcat's own sessions are.
 */
// The superclass is serializable; this one refuses it, as every attribute has a codec instead.
@SuppressWarnings("serial")
final class ReplicatedSession extends StandardSession {
  private final ReplicatedSessionManager sessions;
  private volatile long touchedMillis;

  ReplicatedSession(ReplicatedSessionManager manager) {
    super(manager);
    this.sessions = manager;
  }

  /** Turns a handle into one of a session that lies in the map already. */
  void adopt(String identifier, SessionValue.Header header) {
    id = identifier;
    attributes = sessions.attributesOf(identifier);
    long ahead = sessions.agreedAheadMillis();
    creationTime = header.createdMillis() - ahead;
    lastAccessedTime = header.accessedMillis() - ahead;
    thisAccessedTime = lastAccessedTime;
    maxInactiveInterval = header.inactiveSeconds();
    touchedMillis = lastAccessedTime;
    isNew = false;
    setValid(true);
  }

  @Override
  public void setId(String identifier, boolean notify) {
    attributes = sessions.attributesOf(identifier);
    touchedMillis = creationTime;
    super.setId(identifier, notify);
  }

  /** The session as it would lie in the map if it were written now. */
  SessionValue.Header header() {
    long ahead = sessions.agreedAheadMillis();
    return new SessionValue.Header(
        creationTime + ahead, thisAccessedTime + ahead, maxInactiveInterval);
  }

  @Override
  public void setMaxInactiveInterval(int seconds) {
    super.setMaxInactiveInterval(seconds);
    sessions.write(this);
  }

  @Override
  public void access() {
    super.access();
    if (thisAccessedTime - touchedMillis >= sessions.touchMillis(maxInactiveInterval)) {
      touchedMillis = thisAccessedTime;
      sessions.touch(this);
    }
  }

  /** Idle since the last use at any server, not only at this one. */
  @Override
  public long getIdleTimeInternal() {
    return Math.min(super.getIdleTimeInternal(), sessions.idleMillis(getIdInternal()));
  }

  @Override
  public void setAttribute(String name, @Nullable Object value, boolean notify) {
    if (name != null && value != null) {
      sessions.requireRegistered(name, value);
    }
    super.setAttribute(name, value, notify);
  }

  @Override
  protected void doReadObject(ObjectInputStream stream) {
    throw new UnsupportedOperationException("a replicated session is never serialized");
  }

  @Override
  protected void doWriteObject(ObjectOutputStream stream) {
    throw new UnsupportedOperationException("a replicated session is never serialized");
  }
}
