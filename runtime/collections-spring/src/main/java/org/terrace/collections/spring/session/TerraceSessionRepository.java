package org.terrace.collections.spring.session;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.session.FindByIndexNameSessionRepository;
import org.springframework.session.IndexResolver;
import org.springframework.session.PrincipalNameIndexResolver;
import org.springframework.session.SessionIdGenerator;
import org.springframework.session.UuidSessionIdGenerator;
import org.springframework.session.events.SessionCreatedEvent;
import org.springframework.session.events.SessionDeletedEvent;
import org.springframework.session.events.SessionExpiredEvent;
import org.terrace.collections.MapOptions;
import org.terrace.collections.ReplicatedCollections;
import org.terrace.collections.ReplicatedSortedMap;
import org.terrace.collections.replication.UnacknowledgedWriteException;
import org.terrace.collections.replication.WriteLevel;
import org.terrace.core.TimeSource;
import org.terrace.core.codec.AdmittedSerialization;

/**
 * Spring Session's sessions in a {@link ReplicatedSortedMap}: every server of the group knows every
 * session, so that requests need not stick to a server, and the death of one costs nothing that was
 * saved.
 *
 * <p>A new session and what a request has changed of it are held by as many servers as the level
 * asks for before {@link #save} returns, and so before the visitor gets the page. Attributes set
 * concurrently at two servers do not hinder each other; of two values of one attribute the later
 * wins. What is saved of a session that has ended meanwhile is dropped. The time of last use is
 * spread now and then only, without waiting.
 *
 * <p>Events are published at the server where something happens: {@link SessionCreatedEvent} and
 * {@link SessionDeletedEvent} where a session was saved first and deleted, {@link
 * SessionExpiredEvent} where it is found to be over, in rare cases at two servers at once. A
 * session that looks unused here is not found any more, and ends once no other server can know of a
 * later use: nobody is missing, and all have been heard since. A server that is cut off, or sees
 * fewer than there are to be, so ends nobody's session, for a day at most.
 *
 * <p>Thread-safe. Saving costs a message to each server for each attribute changed; finding by an
 * index goes through all sessions in this server's memory.
 */
public final class TerraceSessionRepository
    implements FindByIndexNameSessionRepository<TerraceSession>, AutoCloseable {
  private final ReplicatedCollections collections;
  private final ReplicatedSortedMap<PartKey, SessionPart> map;
  private final TerraceSessionOptions options;
  private final SessionClock clock;
  private final ApplicationEventPublisher events;
  private final AdmittedSerialization serialization;
  private final @Nullable ClassLoader loader;
  private final SessionSweeper sweeper;
  private final SessionIdGenerator identifiers = UuidSessionIdGenerator.getInstance();
  private final IndexResolver<TerraceSession> indexes =
      new PrincipalNameIndexResolver<>(PRINCIPAL_NAME_INDEX_NAME);

  /**
   * A repository, whose attributes are of classes that the present thread's class loader finds.
   *
   * @param collections the replica; it stays the caller's to close, after this
   * @param name of the map, the same at all servers of the application
   * @param events where sessions' beginnings and ends are told
   * @throws IllegalArgumentException if the name is in use here, or an admitted class has no name
   */
  public TerraceSessionRepository(
      ReplicatedCollections collections,
      String name,
      TerraceSessionOptions options,
      TimeSource time,
      ApplicationEventPublisher events) {
    this.serialization = new AdmittedSerialization(options.admitted());
    this.collections = collections;
    this.map =
        collections.sortedMap(
            name,
            MapOptions.of(PartKey.CODEC, SessionPart.codec()).withLevel(options.level()),
            Comparator.naturalOrder());
    this.options = options;
    this.clock = new SessionClock(collections, time);
    this.events = events;
    this.loader = Thread.currentThread().getContextClassLoader();
    this.sweeper = new SessionSweeper(this, options.sweepPeriod(), time);
  }

  @Override
  public TerraceSession createSession() {
    return new TerraceSession(this, newId(), clock.now(), options.maxInactiveInterval());
  }

  String newId() {
    return identifiers.generate();
  }

  /**
   * Writes what has changed of a session; nothing if it has ended meanwhile.
   *
   * @throws UnacknowledgedWriteException if fewer servers than the level asks for have confirmed it
   *     in time; it may be there all the same
   * @throws org.terrace.collections.replication.WriteRefusedException if nothing was written
   * @throws IllegalArgumentException if an attribute has come to hold what is not admitted
   */
  @Override
  public void save(TerraceSession session) {
    Map<String, byte @Nullable []> changes = session.changes(options.saveMode());
    String storedId = session.storedId();
    if (storedId == null) {
      begin(session, changes);
      session.saved(changes, true);
      events.publishEvent(new SessionCreatedEvent(this, session));
    } else if (!storedId.equals(session.getId())) {
      TerraceSession now = read(storedId);
      if (now != null) {
        rename(storedId, session, now.changedBy(session, changes), changes);
      }
    } else if (isThere(storedId)) {
      update(session, changes);
      boolean isTouched = session.isTouchDue();
      if (isTouched) {
        touch(session.getId(), clock.agreedMillis(session.getLastAccessedTime()));
      }
      session.saved(changes, isTouched);
    }
  }

  /** Lets a session be there as it is now, under its new identifier in the place of the old one. */
  private void rename(
      String old,
      TerraceSession session,
      TerraceSession now,
      Map<String, byte @Nullable []> changes) {
    begin(now, new HashMap<>(now.stored()));
    try {
      end(map, old, () -> {}); // from here on the old identifier is known to nobody
    } catch (UnacknowledgedWriteException e) {
      session.saved(changes, true); // it is there under the new one, and the old one is gone
      throw e;
    }
    session.saved(changes, true);
  }

  /** Spreads a use without waiting for it, unless a later one is known: requests may be long. */
  private void touch(String id, long usedMillis) {
    if (usedMillis > usedMillis(id)) {
      soon().putAsync(PartKey.used(id), new SessionPart.Used(usedMillis));
    }
  }

  /** The latest use that was put, of several beyond a cut whichever was put last; zero for none. */
  private long usedMillis(String id) {
    long latestMillis = 0;
    for (SessionPart part : map.values(PartKey.used(id))) {
      if (part instanceof SessionPart.Used used) {
        latestMillis = Math.max(latestMillis, used.millis());
      }
    }
    return latestMillis;
  }

  /**
   * Lets a session be there under its identifier. The beginning comes last: whoever sees it sees
   * the rest, and the death of this server before that leaves no session.
   */
  private void begin(TerraceSession session, Map<String, byte @Nullable []> attributes) {
    String id = session.getId();
    PartWrites writes = new PartWrites(map, id);
    writes.attributes(attributes);
    indexes.resolveIndexesFor(session).forEach(writes::index);
    writes.await(options.saveTimeout());
    map.put(
        PartKey.beginning(id),
        new SessionPart.Beginning(
            clock.agreedMillis(session.getCreationTime()),
            clock.agreedMillis(session.getLastAccessedTime()),
            session.getMaxInactiveInterval().toMillis()));
  }

  private void update(TerraceSession session, Map<String, byte @Nullable []> changes) {
    PartWrites writes = new PartWrites(map, session.getId());
    writes.attributes(changes);
    if (session.isInactiveChanged()) {
      writes.inactive(session.getMaxInactiveInterval().toMillis());
    }
    if (!changes.isEmpty()) {
      writes.indexes(indexes.resolveIndexesFor(session));
    }
    writes.await(options.saveTimeout());
  }

  /** The session of that identifier, wherever it began; null if there is none or it is over. */
  @Override
  public @Nullable TerraceSession findById(String id) {
    TerraceSession session = read(id);
    if (session != null && isOver(session)) {
      expire(id);
      return null;
    }
    sweeper.notOver(id); // were it to look over again, the others are to be heard again
    return session;
  }

  private @Nullable TerraceSession read(String id) {
    if (!(map.get(PartKey.beginning(id)) instanceof SessionPart.Beginning beginning)) {
      return null;
    }
    long usedMillis = Math.max(beginning.usedMillis(), usedMillis(id));
    long[] inactiveMillis = {beginning.inactiveMillis()};
    Map<String, byte[]> attributes = new HashMap<>();
    partsOf(id)
        .forEach((key, part) -> {
          switch (part) {
            case SessionPart.Attribute attribute ->
                attributes.put(key.name(), attribute.serialized());
            case SessionPart.Inactive instead -> inactiveMillis[0] = instead.millis();
            case SessionPart.Beginning same -> {}
            case SessionPart.Used use -> {}
            case SessionPart.Indexed value -> {}
          }
        });
    return new TerraceSession(
        this,
        id,
        clock.ownTime(beginning.createdMillis()),
        clock.ownTime(usedMillis),
        Duration.ofMillis(inactiveMillis[0]),
        attributes);
  }

  private SortedMap<PartKey, SessionPart> partsOf(String id) {
    return map.subMap(PartKey.beginning(id), PartKey.end(id));
  }

  boolean isThere(String id) {
    return map.containsKey(PartKey.beginning(id));
  }

  /**
   * Ends a session everywhere; does nothing if there is none.
   *
   * @throws UnacknowledgedWriteException if fewer servers than the level asks for have confirmed it
   *     in time: it has ended here, and ends at the others if this server survives
   */
  @Override
  public void deleteById(String id) {
    TerraceSession session = read(id);
    end(
        map,
        id,
        () -> {
          if (session != null) {
            events.publishEvent(new SessionDeletedEvent(this, session));
          }
        });
  }

  /**
   * Ends a session that lay unused, once that is so at every server; nobody is waited for, as it is
   * over wherever it is left.
   */
  void expire(String id) {
    if (over(id) == null) {
      sweeper.notOver(id);
      return;
    }
    // What was heard last may be a use.
    TerraceSession session = sweeper.isOverForAll(id) ? over(id) : null;
    if (session != null) {
      SessionExpiredEvent event = new SessionExpiredEvent(this, session);
      end(soon(), id, () -> SessionSweeper.tell(() -> events.publishEvent(event)));
    }
  }

  private @Nullable TerraceSession over(String id) {
    TerraceSession session = read(id);
    return session != null && isOver(session) ? session : null;
  }

  /** A look at whether the other servers knew up to now what is known here. */
  BooleanSupplier completeUpToNow() {
    return collections.completeUpToNow();
  }

  /** Removes what lies there beside a session that has ended. */
  void removeParts(String id) {
    end(soon(), id, () -> {});
  }

  private ReplicatedSortedMap<PartKey, SessionPart> soon() {
    return map.withLevel(WriteLevel.LOCAL);
  }

  /**
   * Removes all that lies there for a session. Its beginning goes first and is waited for as that
   * map's level says: what is left after a crash belongs to no session.
   *
   * @param ended what is done if it was there, whether or not its end is confirmed
   */
  private void end(
      ReplicatedSortedMap<PartKey, SessionPart> beginnings, String id, Runnable ended) {
    UnacknowledgedWriteException unconfirmed = null;
    boolean wasThere = true;
    try {
      wasThere = beginnings.remove(PartKey.beginning(id)) != null;
    } catch (UnacknowledgedWriteException e) {
      unconfirmed = e;
    }
    ReplicatedSortedMap<PartKey, SessionPart> soon = soon();
    new ArrayList<>(partsOf(id).keySet()).forEach(soon::removeAsync);
    if (wasThere) {
      ended.run();
    }
    if (unconfirmed != null) {
      throw unconfirmed;
    }
  }

  @Override
  public Map<String, TerraceSession> findByIndexNameAndIndexValue(String index, String value) {
    List<String> found = new ArrayList<>();
    map.forEach((key, part) -> {
      if (part instanceof SessionPart.Indexed indexed
          && key.indexName().equals(index)
          && indexed.value().equals(value)) {
        found.add(key.session());
      }
    });
    Map<String, TerraceSession> sessions = new TreeMap<>();
    for (String id : found) {
      TerraceSession session = findById(id);
      if (session != null) {
        sessions.put(id, session);
      }
    }
    return sessions;
  }

  /** Ends sessions that lie unused, those of servers that died among them. */
  public void sweep() {
    sweeper.sweep();
  }

  /** The number of sessions, wherever they began. */
  public int sessionCount() {
    int[] count = new int[1];
    map.forEach((key, part) -> count[0] += key.isBeginning() ? 1 : 0);
    return count[0];
  }

  SessionSweeper sweeper() {
    return sweeper;
  }

  /** The map in which all parts of all sessions lie. */
  ReplicatedSortedMap<PartKey, SessionPart> parts() {
    return map;
  }

  /** Unused for as long as it may be, and for as long more as a use may be unknown here. */
  boolean isOver(TerraceSession session) {
    Duration inactive = session.getMaxInactiveInterval();
    Duration unused = Duration.between(session.getLastAccessedTime(), clock.now());
    return inactive.isPositive() && unused.compareTo(inactive.plus(session.touchInterval())) > 0;
  }

  byte[] serialize(String name, Object value) {
    try {
      return serialization.encode(value);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "the session attribute '" + name + "' may not be set: " + e.getMessage(), e);
    }
  }

  Object deserialize(byte[] serialized) {
    return serialization.decode(serialized, loader);
  }

  /** The time that the servers agree about. */
  long agreedMillis() {
    return clock.agreedMillis();
  }

  /** Looks for unused sessions no more; the sessions stay where they are. */
  @Override
  public void close() {
    sweeper.close();
  }
}
