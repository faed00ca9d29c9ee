package org.terrace.collections.tomcat;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;
import org.terrace.collections.ReplicatedSortedMap;

/**
 * The attributes of one session as Tomcat's session class wants them: a view of a stretch of the
 * replicated map. Thread-safe.
 */
final class AttributeView extends AbstractMap<String, Object>
    implements ConcurrentMap<String, Object> {
  private final ReplicatedSortedMap<SessionKey, SessionValue> map;
  private final String session;

  AttributeView(ReplicatedSortedMap<SessionKey, SessionValue> map, String session) {
    this.map = map;
    this.session = session;
  }

  private @Nullable SessionKey key(@Nullable Object name) {
    return name instanceof String text && !text.isEmpty() ? new SessionKey(session, text) : null;
  }

  private static @Nullable Object shown(@Nullable SessionValue value) {
    return value instanceof SessionValue.Attribute attribute ? attribute.value() : null;
  }

  @Override
  public @Nullable Object get(@Nullable Object name) {
    SessionKey key = key(name);
    return key == null ? null : shown(map.get(key));
  }

  @Override
  public boolean containsKey(@Nullable Object name) {
    return get(name) != null;
  }

  @Override
  public @Nullable Object put(String name, Object value) {
    return shown(map.put(new SessionKey(session, name), new SessionValue.Attribute(name, value)));
  }

  @Override
  public @Nullable Object remove(@Nullable Object name) {
    SessionKey key = key(name);
    return key == null ? null : shown(map.remove(key));
  }

  @Override
  public @Nullable Object putIfAbsent(String name, Object value) {
    return shown(
        map.putIfAbsent(new SessionKey(session, name), new SessionValue.Attribute(name, value)));
  }

  @Override
  public boolean remove(@Nullable Object name, @Nullable Object value) {
    SessionKey key = key(name);
    return key != null
        && value != null
        && map.remove(key, new SessionValue.Attribute(key.attribute(), value));
  }

  @Override
  public boolean replace(String name, Object oldValue, Object newValue) {
    return map.replace(
        new SessionKey(session, name),
        new SessionValue.Attribute(name, oldValue),
        new SessionValue.Attribute(name, newValue));
  }

  @Override
  public @Nullable Object replace(String name, Object value) {
    return shown(
        map.replace(new SessionKey(session, name), new SessionValue.Attribute(name, value)));
  }

  @Override
  public Set<Map.Entry<String, Object>> entrySet() {
    List<Map.Entry<String, Object>> entries = new ArrayList<>();
    map.subMap(SessionKey.header(session), SessionKey.end(session))
        .forEach((key, value) -> {
          Object shown = shown(value);
          if (shown != null) {
            entries.add(Map.entry(key.attribute(), shown));
          }
        });
    return new AbstractSet<>() {
      @Override
      public Iterator<Map.Entry<String, Object>> iterator() {
        return List.copyOf(entries).iterator();
      }

      @Override
      public int size() {
        return entries.size();
      }
    };
  }
}
