package org.terrace.middleware.ejb;

import java.lang.reflect.Field;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import org.apache.openejb.client.EJBMetaDataImpl;
import org.apache.openejb.client.EjbObjectInputStream;
import org.terrace.middleware.MiddlewareUnavailableException;

/**
 * Decides which classes the ejbd protocol may deserialise, at both ends: the few that a call of
 * {@link Carrier} consists of, by their exact names. All others are refused before they are loaded,
 * and counted. Thread-safe.
 *
 * <p>The choice holds for all of OpenEJB in this program, which has one place for it. A program
 * that uses OpenEJB for more says so by OpenEJB's own property, whose entries are beginnings of
 * names.
 */
final class AdmittedClasses extends EjbObjectInputStream.BlacklistClassResolver {
  private static final String FURTHER = "tomee.serialization.class.whitelist";
  private static final String[] NONE = {};
  private static final Set<String> ADMITTED =
      Set.of(
          byte[].class.getName(),
          URI.class.getName(),
          URI[].class.getName(),
          EJBMetaDataImpl.class.getName(),
          Carrier.class.getName());
  private static final LongAdder REFUSED = new LongAdder();

  private final boolean more;

  private AdmittedClasses(String[] further) {
    super(NONE, further);
    more = further.length > 0;
  }

  /**
   * Lets nothing else be deserialised from now on.
   *
   * @throws MiddlewareUnavailableException if this OpenEJB has no place for it: it is not used then
   */
  static void enforce() throws MiddlewareUnavailableException {
    AtomicReference<EjbObjectInputStream.BlacklistClassResolver> place = place();
    if (!(place.get() instanceof AdmittedClasses)) {
      String further = System.getProperty(FURTHER);
      place.set(new AdmittedClasses(further == null ? NONE : further.split(" *, *", -1)));
    }
  }

  /** Its own setter takes nothing but names' beginnings, and does not count. */
  @SuppressWarnings("unchecked")
  private static AtomicReference<EjbObjectInputStream.BlacklistClassResolver> place()
      throws MiddlewareUnavailableException {
    try {
      Field field = EjbObjectInputStream.class.getDeclaredField("RESOLVER_ATOMIC_REFERENCE");
      field.setAccessible(true);
      return (AtomicReference<EjbObjectInputStream.BlacklistClassResolver>) field.get(null);
    } catch (ReflectiveOperationException | RuntimeException e) {
      throw new MiddlewareUnavailableException(
          "The middleware ejbd is not used: this OpenEJB cannot be kept from deserialising any"
              + " class. Use version 10.0.0-M2.",
          e);
    }
  }

  /** The number of classes that were refused in this program. */
  static long refused() {
    return REFUSED.sum();
  }

  @Override
  protected boolean isBlacklisted(String name) {
    if (ADMITTED.contains(name) || (more && !super.isBlacklisted(name))) {
      return false;
    }
    REFUSED.increment();
    return true;
  }
}
