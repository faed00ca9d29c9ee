package org.terrace.collections.spring.session;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.terrace.collections.ReplicatedSortedMap;
import org.terrace.collections.replication.Acknowledgement;
import org.terrace.collections.replication.UnacknowledgedWriteException;
import org.terrace.collections.replication.WriteRefusedException;

/** The updates of one session's parts that are made at once and waited for together. Confined. */
final class PartWrites {
  private final ReplicatedSortedMap<PartKey, SessionPart> map;
  private final String session;
  private final List<Acknowledgement> pending = new ArrayList<>();

  PartWrites(ReplicatedSortedMap<PartKey, SessionPart> map, String session) {
    this.map = map;
    this.session = session;
  }

  /** Attributes as bytes by name; null for those to be removed. */
  void attributes(Map<String, byte @Nullable []> attributes) {
    attributes.forEach((name, serialized) -> {
      PartKey key = PartKey.attribute(session, name);
      make(() ->
          serialized == null
              ? map.removeAsync(key)
              : map.putAsync(key, new SessionPart.Attribute(serialized)));
    });
  }

  void inactive(long millis) {
    make(() -> map.putAsync(PartKey.inactive(session), new SessionPart.Inactive(millis)));
  }

  void index(String name, String value) {
    make(() -> map.putAsync(PartKey.index(session, name), new SessionPart.Indexed(value)));
  }

  /** Indexes as they are now, in the place of those that were. */
  void indexes(Map<String, String> values) {
    for (PartKey key :
        new ArrayList<>(map.subMap(PartKey.beginning(session), PartKey.end(session)).keySet())) {
      if (!key.indexName().isEmpty() && !values.containsKey(key.indexName())) {
        make(() -> map.removeAsync(key));
      }
    }
    values.forEach((name, value) -> {
      SessionPart now = new SessionPart.Indexed(value);
      if (!now.equals(map.get(PartKey.index(session, name)))) {
        index(name, value);
      }
    });
  }

  /** Makes an update; one that is refused after others were made leaves in doubt what is there. */
  private void make(Supplier<Acknowledgement> update) {
    try {
      pending.add(update.get());
    } catch (WriteRefusedException e) {
      throw pending.isEmpty() ? e : inDoubt(String.valueOf(e.getMessage()));
    }
  }

  private static UnacknowledgedWriteException inDoubt(String reason) {
    return new UnacknowledgedWriteException(
        "what was saved of a session is not known to be safe: " + reason);
  }

  /** Waits until as many servers hold all of it as the map's level asks for. */
  void await(Duration timeout) {
    for (Acknowledgement one : pending) {
      if (!one.await(timeout.toNanos(), 0)) {
        throw inDoubt("it reaches the others if this server survives");
      }
    }
  }
}
