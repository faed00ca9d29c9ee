package org.terrace.middleware.corba;

import java.io.File;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;
import org.terrace.middleware.MiddlewareUnavailableException;

/**
 * Loads an ORB from its own libraries before all others, with the portable code beside it: each ORB
 * brings its own copy of {@code org.omg}, and only one can be the first of a class path.
 */
final class OrbLoader extends URLClassLoader {
  private static final String PORTABLE = "org.terrace.middleware.corba.orb.";
  private static final String BINDING = PORTABLE + "PortableOrb";

  static {
    registerAsParallelCapable();
  }

  private OrbLoader(URL[] libraries, ClassLoader parent) {
    super(libraries, parent);
  }

  /**
   * The binding of an ORB.
   *
   * @throws MiddlewareUnavailableException if its libraries are not on the class path
   */
  static OrbBinding load(OrbKind kind) throws MiddlewareUnavailableException {
    List<URL> libraries = new ArrayList<>();
    try {
      for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
        Path file = Path.of(entry);
        String name = String.valueOf(file.getFileName());
        if (kind.jarPrefixes().stream().anyMatch(name::startsWith)) {
          libraries.add(file.toUri().toURL());
        }
      }
      CodeSource own = OrbLoader.class.getProtectionDomain().getCodeSource();
      if (libraries.isEmpty() || own == null) {
        throw new MiddlewareUnavailableException(
            "The middleware %s needs its libraries on the class path: add %s."
                .formatted(kind.middleware(), kind.coordinates()));
      }
      libraries.add(own.getLocation());
      return bind(kind, libraries);
    } catch (MalformedURLException e) {
      throw new MiddlewareUnavailableException("The class path cannot be read: " + e, e);
    }
  }

  private static OrbBinding bind(OrbKind kind, List<URL> libraries)
      throws MiddlewareUnavailableException {
    // Lives as long as the program: an ORB's threads use its classes.
    @SuppressWarnings("resource")
    OrbLoader loader =
        new OrbLoader(libraries.toArray(URL[]::new), OrbLoader.class.getClassLoader());
    try {
      return (OrbBinding) loader.loadClass(BINDING).getConstructor(OrbKind.class).newInstance(kind);
    } catch (InvocationTargetException e) {
      throw unavailable(kind, e.getCause() == null ? e : e.getCause());
    } catch (ReflectiveOperationException | LinkageError e) {
      throw unavailable(kind, e);
    }
  }

  private static MiddlewareUnavailableException unavailable(OrbKind kind, Throwable cause) {
    return new MiddlewareUnavailableException(
        "The middleware %s does not start: %s. Its libraries are %s."
            .formatted(kind.middleware(), cause, kind.coordinates()),
        cause);
  }

  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(PORTABLE) && name.startsWith("org.terrace.")) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> known = findLoadedClass(name);
      if (known == null) {
        try {
          known = findClass(name);
        } catch (ClassNotFoundException ofOthers) {
          return super.loadClass(name, resolve);
        }
      }
      return known;
    }
  }
}
