package org.terrace.middleware;

import java.util.Map;
import java.util.ServiceLoader;
import java.util.TreeMap;
import org.terrace.core.ErrorCode;
import org.terrace.core.TerraceException;

/** The middlewares that this program can use. Thread-safe. */
public final class Middlewares {
  private static final Map<String, Middleware> FOUND = load();

  private Middlewares() {}

  /**
   * The middleware of that name.
   *
   * @throws TerraceException if no module on the path provides it
   */
  public static Middleware byName(String name) {
    Middleware found = FOUND.get(name);
    if (found == null) {
      throw new TerraceException(
          ErrorCode.BAD_INPUT,
          "There is no middleware '"
              + name
              + "'; there are "
              + FOUND.keySet()
              + ". Put the module that provides it on the path.");
    }
    return found;
  }

  private static Map<String, Middleware> load() {
    Map<String, Middleware> found = new TreeMap<>();
    ServiceLoader.load(Middleware.class, Middleware.class.getClassLoader())
        .forEach(each -> found.putIfAbsent(each.name(), each));
    return found;
  }
}
