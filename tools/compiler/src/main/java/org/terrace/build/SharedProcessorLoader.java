package org.terrace.build;

import java.net.URL;
import java.net.URLClassLoader;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A class loader by which each compilation in one process sees the same classes of the compiler's
 * plugins. The compiler makes one for each compilation; those with the same path delegate to one
 * loader, which lives as long as the process, so that the plugins are read, verified and compiled
 * to machine code once and not once a module. It cannot be closed, as another compilation may use
 * the classes. Safe for use by several threads.
 *
 * <p>The compiler finds it by its name in the option {@code -XDprocloader}, and makes a loader of
 * its own where it is not: docs/decisions/0207.
 */
public final class SharedProcessorLoader extends ClassLoader {
  private static final Map<List<String>, ClassLoader> SHARED = new ConcurrentHashMap<>();

  static {
    registerAsParallelCapable();
  }

  /**
   * Creates a loader of the path's classes.
   *
   * @param path the plugins' jars, in the order in which they are searched
   * @param parent the compiler's own loader, which is asked first; the same at each call
   */
  public SharedProcessorLoader(URL[] path, ClassLoader parent) {
    super(
        SHARED.computeIfAbsent(
            Arrays.stream(path).map(URL::toExternalForm).toList(),
            ignored -> new URLClassLoader("compiler-plugins", path, parent)));
  }
}
