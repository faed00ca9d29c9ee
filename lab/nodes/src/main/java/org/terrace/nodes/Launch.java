package org.terrace.nodes;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * A process as a host is asked to start it. Immutable.
 *
 * @param name the name of the node that it plays, for example {@code app1}
 * @param command the program and its arguments
 * @param environment variables to set beside those that the host has
 * @param directory the directory it starts in, on the host
 * @param forks whether it starts processes of its own, which then count as part of it
 */
public record Launch(
    String name,
    List<String> command,
    Map<String, String> environment,
    Path directory,
    boolean forks) {
  /** Copies the collections. */
  public Launch {
    command = List.copyOf(command);
    environment = Map.copyOf(environment);
  }

  /** The same of another program. */
  public Launch withCommand(List<String> other) {
    return new Launch(name, other, environment, directory, forks);
  }
}
