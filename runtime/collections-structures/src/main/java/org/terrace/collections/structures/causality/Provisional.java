package org.terrace.collections.structures.causality;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The content that an undecided request would give a key: the content of a {@link Version} that
 * readers on this replica see and that never leaves it. Immutable.
 *
 * @param put what it would put, or null if it would remove
 * @param hides the entries it would take away
 */
public record Provisional(@Nullable Version put, List<Dot> hides) {
  public Provisional {
    hides = List.copyOf(hides);
  }

  /** Whether an undecided request among the key's entries would take this entry away. */
  public static boolean isHidden(Version first, Version entry) {
    for (Version other = first; other != null; other = other.next) {
      if (other.isProvisional()
          && other.provisional().hides.contains(new Dot(entry.writer, entry.sequence))) {
        return true;
      }
    }
    return false;
  }
}
