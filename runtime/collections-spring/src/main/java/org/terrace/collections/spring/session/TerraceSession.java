package org.terrace.collections.spring.session;

import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.springframework.session.SaveMode;
import org.springframework.session.Session;

/**
 * A session as one request sees it: what lay in the map when it was found, and what the request has
 * changed since, which {@link TerraceSessionRepository#save} writes. An attribute becomes an object
 * when it is asked for. Confined to its request, as those of Spring's other repositories are.
 */
public final class TerraceSession implements Session {
  private static final int TOUCHES_A_LIFE = 20;
  private static final long TOUCH_MILLIS_MIN = 1_000;
  private static final long TOUCH_MILLIS_MAX = 60_000;

  private final TerraceSessionRepository repository;
  private final Map<String, byte[]> stored;
  private final Map<String, Object> objects = new HashMap<>();
  private final Set<String> changed = new HashSet<>();
  private final Instant created;
  private @Nullable String storedId;
  private String id;
  private Instant used;
  private Duration inactive;
  private boolean isInactiveChanged;

  /** The moment of last use that the other servers know of. */
  private Instant touched;

  /** A session that lies nowhere yet. */
  TerraceSession(TerraceSessionRepository repository, String id, Instant now, Duration inactive) {
    this(repository, id, now, now, inactive, new HashMap<>());
    storedId = null;
  }

  /** A session that lies in the map. */
  TerraceSession(
      TerraceSessionRepository repository,
      String id,
      Instant created,
      Instant used,
      Duration inactive,
      Map<String, byte[]> stored) {
    this.repository = repository;
    this.id = id;
    this.storedId = id;
    this.created = created;
    this.used = used;
    this.touched = used;
    this.inactive = inactive;
    this.stored = stored;
  }

  @Override
  public String getId() {
    return id;
  }

  /** The identifier under which it lies in the map; null if it lies nowhere yet. */
  @Nullable String storedId() {
    return storedId;
  }

  @Override
  public String changeSessionId() {
    id = repository.newId();
    return id;
  }

  /**
   * The object of an attribute; null if there is none.
   *
   * @throws org.terrace.core.codec.MalformedDataException if it holds what is not admitted, or
   *     cannot be made of its bytes
   */
  @Override
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // as the interface has it
  public <T> @Nullable T getAttribute(String name) {
    Object here = objects.get(name);
    byte[] serialized = stored.get(name);
    if (here == null && serialized != null && !changed.contains(name)) {
      here = repository.deserialize(serialized);
      objects.put(name, here);
    }
    return (T) here;
  }

  @Override
  public Set<String> getAttributeNames() {
    Set<String> names = new TreeSet<>(stored.keySet());
    names.removeAll(changed);
    names.addAll(objects.keySet());
    return names;
  }

  /**
   * Sets an attribute; null removes it.
   *
   * @throws IllegalArgumentException if it has no name, or its value cannot be serialized or holds
   *     what is not admitted
   */
  @Override
  public void setAttribute(String name, @Nullable Object value) {
    PartKey.attribute(id, name);
    if (value == null) {
      removeAttribute(name);
      return;
    }
    repository.serialize(name, value); // refuses what could not be saved
    objects.put(name, value);
    changed.add(name);
  }

  @Override
  public void removeAttribute(String name) {
    objects.remove(name);
    changed.add(name);
  }

  @Override
  public Instant getCreationTime() {
    return created;
  }

  @Override
  public void setLastAccessedTime(Instant lastAccessedTime) {
    used = lastAccessedTime;
  }

  /** The moment of last use, at other servers to within a twentieth of the time it may lie so. */
  @Override
  public Instant getLastAccessedTime() {
    return used;
  }

  @Override
  public void setMaxInactiveInterval(Duration interval) {
    inactive = interval;
    isInactiveChanged = true;
  }

  @Override
  public Duration getMaxInactiveInterval() {
    return inactive;
  }

  @Override
  public boolean isExpired() {
    return repository.isOver(this);
  }

  boolean isInactiveChanged() {
    return isInactiveChanged;
  }

  /** The time for which a use may be unknown to the others. */
  Duration touchInterval() {
    return Duration.ofMillis(
        Math.clamp(inactive.toMillis() / TOUCHES_A_LIFE, TOUCH_MILLIS_MIN, TOUCH_MILLIS_MAX));
  }

  /** Whether the others know of no use for longer than that. */
  boolean isTouchDue() {
    return Duration.between(touched, used).compareTo(touchInterval()) >= 0;
  }

  /**
   * The changes that are to be written: by name, the bytes of attributes that have changed; null
   * for those that have gone.
   *
   * @throws IllegalArgumentException if an object has come to hold what is not admitted
   */
  Map<String, byte @Nullable []> changes(SaveMode mode) {
    Map<String, byte @Nullable []> changes = new HashMap<>();
    for (String name : changed) {
      if (!objects.containsKey(name) && stored.containsKey(name)) {
        changes.put(name, null);
      }
    }
    objects.forEach((name, value) -> {
      if (mode != SaveMode.ON_SET_ATTRIBUTE || changed.contains(name)) {
        byte[] now = repository.serialize(name, value);
        if (!Arrays.equals(now, stored.get(name))) {
          changes.put(name, now);
        }
      }
    });
    return changes;
  }

  /** The same session with the changes of a request that found it earlier, and as that names it. */
  TerraceSession changedBy(TerraceSession request, Map<String, byte @Nullable []> changes) {
    Map<String, byte[]> attributes = new HashMap<>(stored);
    put(changes, attributes);
    return new TerraceSession(
        repository,
        request.id,
        created,
        request.used.isAfter(used) ? request.used : used,
        request.isInactiveChanged ? request.inactive : inactive,
        attributes);
  }

  private static void put(Map<String, byte @Nullable []> changes, Map<String, byte[]> attributes) {
    changes.forEach((name, serialized) -> {
      if (serialized == null) {
        attributes.remove(name);
      } else {
        attributes.put(name, serialized);
      }
    });
  }

  /** The attributes as they lie in the map. */
  Map<String, byte[]> stored() {
    return stored;
  }

  /** Notes that it lies in the map with those changes. */
  void saved(Map<String, byte @Nullable []> changes, boolean isTouched) {
    put(changes, stored);
    changed.clear();
    isInactiveChanged = false;
    storedId = id;
    if (isTouched) {
      touched = used;
    }
  }
}
