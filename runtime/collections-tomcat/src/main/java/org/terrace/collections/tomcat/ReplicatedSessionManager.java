package org.terrace.collections.tomcat;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.LifecycleState;
import org.apache.catalina.Session;
import org.apache.catalina.session.ManagerBase;
import org.apache.catalina.session.StandardSession;
import org.jspecify.annotations.Nullable;
import org.terrace.collections.MapOptions;
import org.terrace.collections.ReplicatedCollections;
import org.terrace.collections.ReplicatedSortedMap;
import org.terrace.collections.replication.UnacknowledgedWriteException;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.core.TimeSource;

/**
 * Tomcat's sessions in a {@link ReplicatedSortedMap}: every server of the group knows every
 * session, so that requests need not stick to a server, and the death of one costs nothing that was
 * acknowledged.
 *
 * <p>A new session and each attribute set are held by as many servers as the write level asks for
 * before the call returns, and so before the visitor gets the page. Attributes set concurrently on
 * two servers do not hinder each other; of two values of one attribute the later wins. What a
 * request changes of a mutable attribute is written at the end of the request. The time of last use
 * is spread now and then only, without waiting. Notes, the principal of container authentication
 * and listeners' state stay at their server.
 *
 * <p>Listeners are told at the server where something happens: of a session's end where it is
 * invalidated or found to be over, and of activation where an attribute becomes an object and where
 * a server stops. A session that looks unused here is not found any more, and ends once no other
 * server can know of a later use: nobody is missing, and all have been heard since. A server that
 * is cut off, or sees fewer than there are to be, so ends nobody's session, for a day at most.
 * Thread-safe.
 */
public final class ReplicatedSessionManager extends ManagerBase {
  private static final System.Logger LOG =
      System.getLogger(ReplicatedSessionManager.class.getName());
  private static final long NANOS_PER_MILLI = 1_000_000;

  /** The time for which something of a session may lie here before the session's header comes. */
  private static final long ORPHAN_MILLIS = 60_000;

  /** The session that a thread's request has used, until its changes are written. */
  private static final ThreadLocal<@Nullable ReplicatedSession> USED = new ThreadLocal<>();

  /** The session whose changes a thread has written already. */
  private static final ThreadLocal<@Nullable ReplicatedSession> WRITTEN = new ThreadLocal<>();

  private final ReplicatedSortedMap<SessionKey, SessionValue> map;
  private final SessionAttributes registered;
  private final TimeSource time;
  private final ReplicatedCollections collections;
  final OverSessions over;

  long orphanMillis = ORPHAN_MILLIS;

  /** Sessions of which something lies in the map without a header, and since when. */
  private final Map<String, Long> orphans = new HashMap<>();

  private final EndOfRequestValve valve = new EndOfRequestValve(this);

  /**
   * A manager, to be given to a context before it starts.
   *
   * @param collections the replicas; they stay the caller's to close, after Tomcat
   * @param name of the map, the same on all servers of the application
   * @param level how many servers hold what is written before the writing request goes on
   */
  public ReplicatedSessionManager(
      ReplicatedCollections collections,
      String name,
      SessionAttributes registered,
      WriteLevel level,
      TimeSource time) {
    this.map =
        collections.sortedMap(
            name,
            MapOptions.of(SessionKey.CODEC, SessionAttributes.codec()).withLevel(level),
            Comparator.naturalOrder());
    this.registered = registered;
    this.time = time;
    this.collections = collections;
    this.over = new OverSessions(collections, time);
  }

  @Override
  protected void startInternal() throws LifecycleException {
    super.startInternal();
    getContext().getPipeline().addValve(valve);
    setState(LifecycleState.STARTING);
  }

  @Override
  protected void stopInternal() throws LifecycleException {
    setState(LifecycleState.STOPPING);
    for (Session session : sessions.values()) {
      if (session instanceof ReplicatedSession replicated && replicated.isValidInternal()) {
        replicated.passivate();
      }
    }
    getContext().getPipeline().removeValve(valve);
    super.stopInternal();
  }

  /** Does nothing: the sessions are in the map. */
  @Override
  public void load() {}

  /** Does nothing: the sessions stay in the map. */
  @Override
  public void unload() {}

  @Override
  protected StandardSession getNewSession() {
    return new ReplicatedSession(this);
  }

  /** Takes a session up; a new one is in the map when this returns. */
  @Override
  public void add(Session session) {
    super.add(session);
    if (session instanceof ReplicatedSession replicated && !isThere(session.getIdInternal())) {
      begin(session.getIdInternal(), replicated.header());
    }
  }

  /** Lets there be a session of that identifier, if there is none. */
  void begin(String id, SessionValue.Header header) {
    map.putIfAbsent(SessionKey.header(id), header);
  }

  /** A new session; under that identifier if there is one, and no other that looks over has it. */
  @Override
  public Session createSession(@Nullable String sessionId) {
    boolean isTaken = sessionId != null && findSession(sessionId) == null && isThere(sessionId);
    return super.createSession(isTaken ? null : sessionId);
  }

  /** The session of that identifier, wherever it began; null if there is none or it is over. */
  @Override
  public @Nullable Session findSession(@Nullable String id) {
    Session found = id == null ? null : handle(id);
    return found != null && found.isValid() ? found : null;
  }

  private @Nullable Session handle(String id) {
    Session here = sessions.get(id);
    SessionValue.Header header = headerOf(id);
    if (header == null) {
      if (here != null) {
        sessions.remove(id, here);
      }
      return null;
    }
    if (here != null) {
      if (here instanceof ReplicatedSession handle) {
        handle.refresh(header);
      }
      return here;
    }
    ReplicatedSession handle = new ReplicatedSession(this);
    handle.adopt(id, header);
    Session first = sessions.putIfAbsent(id, handle);
    return first == null ? handle : first;
  }

  /** A session's header as of now; null if there is no such session. */
  private SessionValue.@Nullable Header headerOf(String id) {
    if (!(map.get(SessionKey.header(id)) instanceof SessionValue.Header header)) {
      return null;
    }
    long accessedMillis = header.accessedMillis();
    for (SessionValue use : map.values(SessionKey.used(id))) { // several of both sides of a cut
      accessedMillis =
          Math.max(
              accessedMillis, use instanceof SessionValue.Used later ? later.accessedMillis() : 0);
    }
    int inactiveSeconds =
        map.get(SessionKey.inactive(id)) instanceof SessionValue.Inactive changed
            ? changed.seconds()
            : header.inactiveSeconds();
    return new SessionValue.Header(header.createdMillis(), accessedMillis, inactiveSeconds);
  }

  boolean isThere(String id) {
    return map.containsKey(SessionKey.header(id));
  }

  /** Ends a session everywhere, or its being known under its identifier. */
  @Override
  public void remove(Session session, boolean update) {
    super.remove(session, update);
    if (update && session instanceof ReplicatedSession replicated) {
      replicated.detach(); // what is told of the end still has the attributes
    }
    String id = session.getIdInternal();
    try {
      removeFromMap(id);
    } catch (UnacknowledgedWriteException e) {
      LOG.log(Level.WARNING, "The end of a session is made and not confirmed: " + e.getMessage());
      if (session instanceof ReplicatedSession replicated) {
        replicated.endIsUnconfirmed(e); // Tomcat goes on with what it does first
      }
    }
  }

  /**
   * Its header goes first and is waited for, unless the session is over wherever it is left: what
   * is left after a crash belongs to no session.
   */
  private void removeFromMap(String id) {
    ReplicatedSortedMap<SessionKey, SessionValue> soon = map.withLevel(WriteLevel.LOCAL);
    SessionValue.Header header = headerOf(id);
    boolean isOver = header == null || header.isOver(nowMillis(), 0);
    try {
      (isOver ? soon : map).remove(SessionKey.header(id));
    } finally {
      removeAll(id);
    }
  }

  /** Removes all that lies there for that identifier, without waiting. */
  void removeAll(String id) {
    ReplicatedSortedMap<SessionKey, SessionValue> soon = map.withLevel(WriteLevel.LOCAL);
    new ArrayList<>(map.subMap(SessionKey.header(id), SessionKey.end(id)).keySet())
        .forEach(soon::removeAsync);
  }

  /** Ends sessions that lie unused, those of servers that died among them. */
  @Override
  public void processExpires() {
    long nowMillis = nowMillis();
    List<String> unused = new ArrayList<>();
    Set<String> ended = new HashSet<>();
    String[] last = {""};
    map.forEach((key, value) -> {
      if (key.isHeader()) {
        last[0] = key.session();
        SessionValue.Header header = headerOf(key.session());
        if (header == null) {
          return;
        }
        long slackMillis = 2 * ReplicatedSession.touchMillis(header.inactiveSeconds());
        if (header.isOver(nowMillis, slackMillis)) {
          unused.add(key.session());
        } else {
          over.remove(key.session()); // others are to be heard anew if it looks so again
        }
      } else if (!key.session().equals(last[0])) {
        ended.add(key.session());
      }
    });
    for (String id : unused) {
      Session session = handle(id);
      if (session != null) {
        session.isValid(); // ends it if it is over for all
      }
    }
    removeOrphans(ended, nowMillis);
    over.removeIf(id -> !isThere(id) && !ended.contains(id));
    sessions.keySet().removeIf(id -> !isThere(id));
  }

  /** Removes what was set beside the end of its session, once no header can be on its way. */
  private void removeOrphans(Set<String> ended, long nowMillis) {
    synchronized (orphans) {
      orphans.keySet().retainAll(ended);
      ended.forEach(id -> orphans.putIfAbsent(id, nowMillis));
      orphans.forEach((id, sinceMillis) -> {
        boolean isForAll = over.isForAll(id);
        if (nowMillis - sinceMillis >= orphanMillis && isForAll && !isThere(id)) {
          removeFromMap(id);
        }
      });
    }
  }

  /** The number of sessions, wherever they began. */
  public int sessionCount() {
    int[] count = new int[1];
    map.forEach((key, value) -> count[0] += key.isHeader() ? 1 : 0);
    return count[0];
  }

  /** The map in which all of all sessions lies. */
  ReplicatedSortedMap<SessionKey, SessionValue> parts() {
    return map;
  }

  /** The number of values in the map, of sessions and beside them. */
  int valueCount() {
    return map.size();
  }

  AttributeView attributesOf(String id, Consumer<Object> activated) {
    ClassLoader loader = getContext() == null ? null : getContext().getParentClassLoader();
    if (getContext() != null && getContext().getLoader() != null) {
      loader = getContext().getLoader().getClassLoader();
    }
    return new AttributeView(map, registered, id, loader, activated);
  }

  /** Fails for a value that may not be set, before anybody is told of it. */
  void requireRegistered(String attribute, Object value) {
    registered.encode(attribute, value);
  }

  /** Writes how long a session that is in the map may lie unused. */
  void writeInactive(ReplicatedSession session, int seconds) {
    String id = session.getIdInternal();
    if (id != null && isThere(id)) {
      map.put(SessionKey.inactive(id), new SessionValue.Inactive(seconds));
    }
  }

  /** Spreads the time of last use without waiting for it. */
  void touch(ReplicatedSession session) {
    String id = session.getIdInternal();
    if (id != null && isThere(id)) {
      map.withLevel(WriteLevel.LOCAL)
          .putAsync(SessionKey.used(id), new SessionValue.Used(session.usedMillis()));
    }
  }

  /** Notes that the request of this thread uses the session, perhaps before any valve is asked. */
  void used(ReplicatedSession session) {
    USED.set(session);
  }

  /** Writes what the request of this thread has changed; it may go on if it is asynchronous. */
  void replyEnds(boolean isAsync) {
    ReplicatedSession session = USED.get();
    USED.remove();
    if (session != null) {
      session.writeChanges();
      if (!isAsync) {
        WRITTEN.set(session);
      }
    }
  }

  /** Writes what the request has changed unless {@link #replyEnds} has. */
  void requestEnded(ReplicatedSession session) {
    ReplicatedSession done = WRITTEN.get();
    USED.remove();
    WRITTEN.remove();
    if (done != session) {
      session.writeChanges();
    }
  }

  /** Whether it was unused for as long as it may be, and as long more as a use may be unknown. */
  boolean isOver(ReplicatedSession session) {
    int seconds = session.getMaxInactiveInterval();
    long mostMillis = seconds * 1_000L + ReplicatedSession.touchMillis(seconds);
    boolean isOver = seconds > 0 && session.getIdleTimeInternal() > mostMillis;
    if (!isOver) {
      over.remove(session.getIdInternal());
    }
    return isOver;
  }

  /** Whether a session that is over here is so at every server, as far as that can be known. */
  boolean isOverForAll(ReplicatedSession session) {
    // Looked at once more, for what was heard last may be a use.
    return over.isForAll(session.getIdInternal()) && isOver(session);
  }

  /**
   * The time since a session was last used anywhere, in milliseconds; of an unknown one the
   * longest.
   */
  long idleMillis(@Nullable String id) {
    SessionValue.Header header = id == null ? null : headerOf(id);
    return header == null ? Long.MAX_VALUE : nowMillis() - header.accessedMillis();
  }

  /**
   * The time by which the servers' agreed clock is ahead of this one's. Times in the map are the
   * agreed ones, so that no server's wild clock ends the sessions of others.
   */
  long agreedAheadMillis() {
    return nowMillis() - time.epochNanos() / NANOS_PER_MILLI;
  }

  private long nowMillis() {
    return collections.agreedEpochMillis();
  }
}
