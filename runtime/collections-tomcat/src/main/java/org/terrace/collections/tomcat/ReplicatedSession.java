package org.terrace.collections.tomcat;

import jakarta.servlet.http.HttpSessionActivationListener;
import jakarta.servlet.http.HttpSessionEvent;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import org.apache.catalina.session.StandardSession;
import org.jspecify.annotations.Nullable;
import org.terrace.collections.replication.UnacknowledgedWriteException;

/**
 * A session whose attributes lie in the replicated map; this object is only this server's handle of
 * it. Thread-safe as Tomcat's own sessions are.
 */
// The superclass is serializable; this one refuses it, as every attribute has a form of its own.
@SuppressWarnings("serial")
final class ReplicatedSession extends StandardSession {
  private static final int TOUCHES_A_LIFE = 20;
  private static final long TOUCH_MILLIS_MIN = 1_000;
  private static final long TOUCH_MILLIS_MAX = 60_000;

  private final ReplicatedSessionManager sessions;
  volatile long touchedMillis;
  private volatile @Nullable UnacknowledgedWriteException unconfirmed;

  ReplicatedSession(ReplicatedSessionManager manager) {
    super(manager);
    this.sessions = manager;
  }

  /** Turns a handle into one of a session that lies in the map already. */
  void adopt(String identifier, SessionValue.Header header) {
    id = identifier;
    attributes = sessions.attributesOf(identifier, this::activated);
    long ahead = sessions.agreedAheadMillis();
    creationTime = header.createdMillis() - ahead;
    lastAccessedTime = header.accessedMillis() - ahead;
    thisAccessedTime = lastAccessedTime;
    touchedMillis = lastAccessedTime;
    isNew = false;
    setValid(true);
    refresh(header);
  }

  /** Takes over what another server may have changed. */
  void refresh(SessionValue.Header header) {
    maxInactiveInterval = header.inactiveSeconds();
  }

  /**
   * Gives the session an identifier, or another one as is done when a visitor signs in. All that it
   * has lies under the new one before the old one ends, so that the death of this server in between
   * loses nothing. If that is refused, the session stays as it was.
   *
   * @throws UnacknowledgedWriteException if too few servers have confirmed in time that the old
   *     identifier has ended: the session has the new one here, and at the others if this server
   *     survives
   */
  @Override
  public void setId(String identifier, boolean notify) {
    if (id != null && attributes instanceof AttributeView here) {
      attributes = copied(here, identifier);
    } else {
      attributes = sessions.attributesOf(identifier, this::activated);
    }
    touchedMillis = creationTime;
    super.setId(identifier, notify);
    tellUnconfirmed();
  }

  private AttributeView copied(AttributeView here, String identifier) {
    try {
      AttributeView there = here.copiedTo(identifier);
      sessions.begin(identifier, header());
      return there;
    } catch (RuntimeException e) {
      sessions.removeAll(identifier); // nobody is told of an identifier that cannot be confirmed
      throw e;
    }
  }

  /** The session as it would lie in the map if it were written now. */
  SessionValue.Header header() {
    long ahead = sessions.agreedAheadMillis();
    return new SessionValue.Header(
        creationTime + ahead, thisAccessedTime + ahead, maxInactiveInterval);
  }

  long usedMillis() {
    return thisAccessedTime + sessions.agreedAheadMillis();
  }

  @Override
  public void setMaxInactiveInterval(int seconds) {
    super.setMaxInactiveInterval(seconds);
    sessions.writeInactive(this, seconds);
  }

  @Override
  public void access() {
    super.access();
    sessions.used(this);
    touchIfDue();
  }

  /** The time for which a use may be unknown to the others. */
  static long touchMillis(int inactiveSeconds) {
    return Math.clamp(
        inactiveSeconds * 1_000L / TOUCHES_A_LIFE, TOUCH_MILLIS_MIN, TOUCH_MILLIS_MAX);
  }

  private void touchIfDue() {
    // A clock that was set back makes the last use a later one, for as long as it was set back.
    if (Math.abs(thisAccessedTime - touchedMillis) >= touchMillis(maxInactiveInterval)) {
      touchedMillis = thisAccessedTime;
      sessions.touch(this);
    }
  }

  /** The end of a request, after its reply unless {@link EndOfRequestValve} came before. */
  @Override
  public void endAccess() {
    super.endAccess();
    sessions.requestEnded(this);
    touchIfDue(); // the end of a request is a use as well
  }

  /** Writes what this server has changed of mutable attributes. */
  void writeChanges() {
    if (attributes instanceof AttributeView view && isValidInternal()) {
      view.writeChanges();
    }
  }

  /**
   * Takes note that the end of the session or its identifier is made here, and confirmed by too few
   * others.
   */
  void endIsUnconfirmed(UnacknowledgedWriteException cause) {
    unconfirmed = cause;
  }

  /**
   * Ends the session.
   *
   * @throws UnacknowledgedWriteException if fewer servers than the level asks for have confirmed it
   *     in time: it has ended here, and ends at the others if this server survives
   */
  @Override
  public void invalidate() {
    super.invalidate();
    tellUnconfirmed();
  }

  /** Fails, once, if an end was unconfirmed. */
  void tellUnconfirmed() {
    UnacknowledgedWriteException cause = unconfirmed;
    unconfirmed = null;
    if (cause != null) {
      throw cause;
    }
  }

  /**
   * Valid, in use or not yet unused for too long. One that looks unused at this server is not, and
   * is ended by this once it is so at every server.
   */
  @Override
  public boolean isValid() {
    boolean isInUse = activityCheck && accessCount.get() > 0;
    if (!isValid || expiring || isInUse || !sessions.isOver(this)) {
      return isValid;
    }
    if (sessions.isOverForAll(this)) {
      expire(true);
    }
    return false;
  }

  /** Valid here, and ended nowhere. */
  @Override
  protected boolean isValidInternal() {
    return super.isValidInternal() && (id == null || sessions.isThere(id));
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

  /**
   * Keeps the attributes as they are: they leave the map before listeners are told of their end.
   */
  void detach() {
    if (attributes instanceof AttributeView view) {
      attributes = view.copy();
    }
  }

  private void activated(Object attribute) {
    if (attribute instanceof HttpSessionActivationListener listener) {
      listener.sessionDidActivate(new HttpSessionEvent(getSession()));
    }
  }

  /** Tells the attributes that are objects here that they will not be any more. */
  @Override
  public void passivate() {
    if (attributes instanceof AttributeView view) {
      for (Object attribute : view.objects()) {
        if (attribute instanceof HttpSessionActivationListener listener) {
          listener.sessionWillPassivate(new HttpSessionEvent(getSession()));
        }
      }
      writeChanges();
    }
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
