package org.terrace.collections.tomcat;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.ConcurrentModificationException;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.terrace.collections.ReplicatedSortedMap;

/**
 * The attributes of one session as Tomcat's session class wants them: a view of a stretch of the
 * replicated map, and the objects that this server has made of what lies there. An object is the
 * same for as long as nobody else sets the attribute; what has changed of a mutable one is written
 * by {@link #writeChanges}. Thread-safe.
 */
final class AttributeView extends AbstractMap<String, Object>
    implements ConcurrentMap<String, Object> {
  private static final int ENCODING_TRIES = 3;

  /** An object and what lay in the map when it was made, or last written. */
  private record Live(SessionValue.Attribute stored, Object value) {}

  private final ReplicatedSortedMap<SessionKey, SessionValue> map;
  private final SessionAttributes registered;
  private final String session;
  private final @Nullable ClassLoader loader;
  private final Consumer<Object> activated;
  private final Map<String, Live> live;

  /** The attributes of that session; what is told of each object that is made of bytes here. */
  AttributeView(
      ReplicatedSortedMap<SessionKey, SessionValue> map,
      SessionAttributes registered,
      String session,
      @Nullable ClassLoader loader,
      Consumer<Object> activated) {
    this(map, registered, session, loader, activated, new ConcurrentHashMap<>());
  }

  private AttributeView(
      ReplicatedSortedMap<SessionKey, SessionValue> map,
      SessionAttributes registered,
      String session,
      @Nullable ClassLoader loader,
      Consumer<Object> activated,
      Map<String, Live> live) {
    this.map = map;
    this.registered = registered;
    this.session = session;
    this.loader = loader;
    this.activated = activated;
    this.live = live;
  }

  /** The same attributes and objects under another identifier, under which they lie from now on. */
  AttributeView copiedTo(String other) {
    writeChanges();
    for (SessionValue.Attribute stored : stored()) {
      map.put(new SessionKey(other, stored.name()), stored);
    }
    return new AttributeView(map, registered, other, loader, activated, live);
  }

  private @Nullable SessionKey key(@Nullable Object name) {
    return name instanceof String text && SessionKey.isAttribute(text)
        ? new SessionKey(session, text)
        : null;
  }

  private SessionKey keyToWrite(String name) {
    if (!SessionKey.isAttribute(name)) {
      throw new IllegalArgumentException("an attribute has a name, without a zero character first");
    }
    return new SessionKey(session, name);
  }

  /** The object of what lies in the map, made of its bytes unless it is here. */
  private @Nullable Object shown(String name, @Nullable SessionValue value) {
    if (!(value instanceof SessionValue.Attribute stored)) {
      live.remove(name);
      return null;
    }
    Live here = live.get(name);
    if (here != null && here.stored.isSame(stored)) {
      return here.value;
    }
    Object made = registered.decode(stored, loader);
    if (made == null) {
      return null;
    }
    live.put(name, new Live(stored, made));
    activated.accept(made);
    return made;
  }

  @Override
  public @Nullable Object get(@Nullable Object name) {
    SessionKey key = key(name);
    return key == null ? null : shown(key.attribute(), map.get(key));
  }

  @Override
  public boolean containsKey(@Nullable Object name) {
    SessionKey key = key(name);
    return key != null && registered.isRegistered(key.attribute()) && map.containsKey(key);
  }

  @Override
  public @Nullable Object put(String name, Object value) {
    SessionKey key = keyToWrite(name);
    Object before = get(name);
    SessionValue.Attribute stored = registered.encode(name, value);
    map.put(key, stored);
    live.put(name, new Live(stored, value));
    return before;
  }

  @Override
  public @Nullable Object remove(@Nullable Object name) {
    SessionKey key = key(name);
    if (key == null) {
      return null;
    }
    Object before = get(name);
    map.remove(key);
    live.remove(key.attribute());
    return before;
  }

  @Override
  public @Nullable Object putIfAbsent(String name, Object value) {
    SessionValue.Attribute stored = registered.encode(name, value);
    SessionValue before = map.putIfAbsent(keyToWrite(name), stored);
    if (before != null) {
      return shown(name, before);
    }
    live.put(name, new Live(stored, value));
    return null;
  }

  @Override
  public boolean remove(@Nullable Object name, @Nullable Object value) {
    return value != null && value.equals(get(name)) && remove(name) != null;
  }

  @Override
  public boolean replace(String name, Object oldValue, Object newValue) {
    return oldValue.equals(get(name)) && replace(name, newValue) != null;
  }

  @Override
  public @Nullable Object replace(String name, Object value) {
    return containsKey(name) ? put(name, value) : null;
  }

  /**
   * Writes what has changed of the objects that are here; what was set or removed elsewhere
   * meanwhile stays so.
   *
   * @throws IllegalArgumentException if an object has come to hold what may not be set
   */
  void writeChanges() {
    live.forEach((name, here) -> {
      if (registered.isMutable(name)) {
        SessionValue.Attribute now = encode(name, here.value);
        if (!now.isSame(here.stored)
            && map.replace(new SessionKey(session, name), here.stored, now)) {
          live.replace(name, here, new Live(now, here.value));
        }
      }
    });
  }

  /** The bytes of an object that another request may be changing. */
  private SessionValue.Attribute encode(String name, Object value) {
    for (int i = 1; i < ENCODING_TRIES; i++) {
      try {
        return registered.encode(name, value);
      } catch (ConcurrentModificationException e) {
        Thread.onSpinWait();
      }
    }
    return registered.encode(name, value);
  }

  /** The objects that are here. */
  List<Object> objects() {
    return live.values().stream().map(Live::value).toList();
  }

  /** All attributes as they are, to outlive the session for as long as its end is told. */
  ConcurrentMap<String, Object> copy() {
    ConcurrentMap<String, Object> copy = new ConcurrentHashMap<>();
    for (SessionValue.Attribute stored : stored()) {
      Object value = shown(stored.name(), stored);
      if (value != null) {
        copy.put(stored.name(), value);
      }
    }
    return copy;
  }

  private List<SessionValue.Attribute> stored() {
    List<SessionValue.Attribute> all = new ArrayList<>();
    map.subMap(SessionKey.header(session), SessionKey.end(session))
        .forEach((key, value) -> {
          if (value instanceof SessionValue.Attribute attribute) {
            all.add(attribute);
          }
        });
    return all;
  }

  @Override
  public Set<String> keySet() {
    Set<String> names = new TreeSet<>();
    for (SessionValue.Attribute attribute : stored()) {
      if (registered.isRegistered(attribute.name())) {
        names.add(attribute.name());
      }
    }
    return names;
  }

  @Override
  public Set<Map.Entry<String, Object>> entrySet() {
    Map<String, Object> entries = copy();
    return new AbstractSet<>() {
      @Override
      public Iterator<Map.Entry<String, Object>> iterator() {
        return Map.copyOf(entries).entrySet().iterator();
      }

      @Override
      public int size() {
        return entries.size();
      }
    };
  }
}
