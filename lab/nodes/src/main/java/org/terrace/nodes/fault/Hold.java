package org.terrace.nodes.fault;

import java.util.Map;

/**
 * A restraint on a server from outside, for as long as it lasts. Confined to one thread at a time.
 */
public interface Hold {
  /**
   * Begins to hold it.
   *
   * @throws org.terrace.core.TerraceException if this machine does not permit it
   */
  void begin();

  /**
   * Lets it go, and tells facts of the stretch by name. Not an error where nothing is held.
   *
   * @throws org.terrace.core.TerraceException if it is not known to be let go
   */
  Map<String, String> end();
}
