package org.terrace.collections.tomcat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentMap;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.LifecycleState;
import org.apache.catalina.Session;
import org.apache.catalina.session.ManagerBase;
import org.apache.catalina.session.StandardSession;
import org.jspecify.annotations.Nullable;
import org.terrace.collections.MapOptions;
import org.terrace.collections.ReplicatedCollections;
import org.terrace.collections.ReplicatedSortedMap;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.core.TimeSource;

/**
 * Tomcat's sessions in a {@link ReplicatedSortedMap}: every server of the group knows every
 * session, so that requests need not stick to a server, and the death of one costs nothing that was
 * acknowledged.
 *
 * <p>A new session and each attribute set are held by as many servers as the write level asks for
 * before the call returns, and so before the visitor gets the page. Attributes set concurrently on
 * two servers do not hinder each other; of two values of one attribute the later wins. The time of
 * last use is spread now and then only, without waiting. Notes, the principal of container
 * authentication and listeners' state stay at their server. Thread-safe.
 */
public final class ReplicatedSessionManager extends ManagerBase {
  private static final long NANOS_PER_MILLI = 1_000_000;
  private static final int TOUCHES_A_LIFE = 20;
  private static final long TOUCH_MILLIS_MIN = 1_000;
  private static final long TOUCH_MILLIS_MAX = 60_000;

  private final ReplicatedSortedMap<SessionKey, SessionValue> map;
  private final SessionAttributes registered;
  private final TimeSource time;
  private final ReplicatedCollections collections;

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
            MapOptions.of(SessionKey.CODEC, registered.codec()).withLevel(level),
            Comparator.naturalOrder());
    this.registered = registered;
    this.time = time;
    this.collections = collections;
  }

  @Override
  protected void startInternal() throws LifecycleException {
    super.startInternal();
    setState(LifecycleState.STARTING);
  }

  @Override
  protected void stopInternal() throws LifecycleException {
    setState(LifecycleState.STOPPING);
    super.stopInternal();
  }

  /** Nothing is loaded: the sessions are in the map. */
  @Override
  public void load() {}

  /** Nothing is unloaded: the sessions stay in the map. */
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
    if (session instanceof ReplicatedSession replicated
        && map.get(SessionKey.header(session.getIdInternal())) == null) {
      map.put(SessionKey.header(session.getIdInternal()), replicated.header());
    }
  }

  /** The session of that identifier, wherever it began; null if there is none or it has ended. */
  @Override
  public @Nullable Session findSession(@Nullable String id) {
    if (id == null) {
      return null;
    }
    Session here = sessions.get(id);
    if (!(map.get(SessionKey.header(id)) instanceof SessionValue.Header header)) {
      if (here != null) {
        sessions.remove(id, here);
      }
      return null;
    }
    if (here != null) {
      return here;
    }
    ReplicatedSession handle = new ReplicatedSession(this);
    handle.adopt(id, header);
    Session first = sessions.putIfAbsent(id, handle);
    return first == null ? handle : first;
  }

  /** Ends a session everywhere. */
  @Override
  public void remove(Session session, boolean update) {
    super.remove(session, update);
    removeFromMap(session.getIdInternal());
  }

  private void removeFromMap(String id) {
    List<SessionKey> keys =
        new ArrayList<>(map.subMap(SessionKey.header(id), SessionKey.end(id)).keySet());
    for (SessionKey key : keys.reversed()) {
      map.remove(key);
    }
  }

  /**
   * Gives a session another identifier, as is done when a visitor signs in. The attributes lie
   * under the new one before the old one ends, so that the death of this server in between loses
   * none.
   */
  @Override
  protected void changeSessionId(
      Session session, String newId, boolean notifySession, boolean notifyContainer) {
    attributesOf(newId).putAll(attributesOf(session.getIdInternal()));
    super.changeSessionId(session, newId, notifySession, notifyContainer);
  }

  /** Ends sessions that lie unused, those of servers that died among them. */
  @Override
  public void processExpires() {
    long nowMillis = nowMillis();
    List<String> over = new ArrayList<>();
    map.forEach((key, value) -> {
      if (value instanceof SessionValue.Header header
          && header.isOver(nowMillis, 2 * touchMillis(header.inactiveSeconds()))) {
        over.add(key.session());
      }
    });
    for (String id : over) {
      Session session = findSession(id);
      if (session != null && session.isValid()) {
        session.expire();
      }
    }
    sessions.keySet().removeIf(id -> map.get(SessionKey.header(id)) == null);
  }

  /** How many sessions there are, wherever they began. */
  public int sessionCount() {
    int[] count = new int[1];
    map.forEach((key, value) -> count[0] += key.isHeader() ? 1 : 0);
    return count[0];
  }

  ConcurrentMap<String, Object> attributesOf(String id) {
    return new AttributeView(map, id);
  }

  void requireRegistered(String attribute, Object value) {
    registered
        .refusal(attribute, value)
        .ifPresent(refusal -> {
          throw new IllegalArgumentException(refusal);
        });
  }

  /** Writes what has changed of a session that is in the map. */
  void write(ReplicatedSession session) {
    SessionKey key = headerKey(session);
    if (key != null && map.get(key) != null) {
      map.put(key, session.header());
    }
  }

  /** Spreads the time of last use without waiting for it. */
  void touch(ReplicatedSession session) {
    SessionKey key = headerKey(session);
    if (key != null && map.get(key) != null) {
      map.withLevel(WriteLevel.LOCAL).putAsync(key, session.header());
    }
  }

  private static @Nullable SessionKey headerKey(ReplicatedSession session) {
    String id = session.getIdInternal();
    return id == null ? null : SessionKey.header(id);
  }

  long touchMillis(int inactiveSeconds) {
    return Math.clamp(
        inactiveSeconds * 1_000L / TOUCHES_A_LIFE, TOUCH_MILLIS_MIN, TOUCH_MILLIS_MAX);
  }

  /** How long ago a session was last used anywhere, in milliseconds. */
  long idleMillis(@Nullable String id) {
    return id != null && map.get(SessionKey.header(id)) instanceof SessionValue.Header header
        ? nowMillis() - header.accessedMillis()
        : Long.MAX_VALUE;
  }

  /**
   * How far the time that the servers agree about is ahead of this one's clock. Times in the map
   * are the agreed ones, so that no server's wild clock ends the sessions of others.
   */
  long agreedAheadMillis() {
    return nowMillis() - time.epochNanos() / NANOS_PER_MILLI;
  }

  private long nowMillis() {
    return collections.agreedEpochMillis();
  }
}
