package org.terrace.wire.file;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.terrace.wire.packet.HostAddress;

/**
 * The names that a capture file gives to addresses. The first name of an address stays. Confined to
 * one thread.
 */
public final class HostNames {
  private static final int NAMES_MAX = 65_536;
  private static final int NAME_CHARACTERS_MAX = 255;

  private final Map<HostAddress, String> names = new HashMap<>();

  /** Adds a name, unless it is empty or the address has one or there are too many. */
  void add(HostAddress address, String name) {
    String usable =
        name.length() > NAME_CHARACTERS_MAX ? name.substring(0, NAME_CHARACTERS_MAX) : name;
    if (!usable.isBlank() && names.size() < NAMES_MAX) {
      names.putIfAbsent(address, usable);
    }
  }

  /** The name of an address, or null. */
  public @Nullable String of(HostAddress address) {
    return names.get(address);
  }
}
