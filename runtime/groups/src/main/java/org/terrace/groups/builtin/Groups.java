package org.terrace.groups.builtin;

import org.terrace.groups.Group;
import org.terrace.groups.GroupOptions;

/** Opens groups. */
public final class Groups {
  private Groups() {}

  /**
   * Opens the built-in group: datagrams by multicast where it is heard by all, else one to each
   * member; connections for what is larger.
   *
   * @throws org.terrace.core.TerraceException if the address or port cannot be used
   */
  public static Group open(GroupOptions options) {
    return BuiltInGroup.open(options);
  }
}
