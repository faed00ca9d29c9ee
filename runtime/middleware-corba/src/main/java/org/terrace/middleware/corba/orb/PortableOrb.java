package org.terrace.middleware.corba.orb;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.omg.CORBA.ORB;
import org.omg.CORBA.SystemException;
import org.omg.CORBA.UserException;
import org.terrace.middleware.CallChannel;
import org.terrace.middleware.CallFailedException;
import org.terrace.middleware.CallHandler;
import org.terrace.middleware.Endpoint;
import org.terrace.middleware.Listener;
import org.terrace.middleware.MiddlewareUnavailableException;
import org.terrace.middleware.corba.OrbBinding;
import org.terrace.middleware.corba.OrbKind;

/** The listener and caller through any ORB of the standard interfaces. Thread-safe. */
public final class PortableOrb implements OrbBinding {
  private static final String INITIALIZER = "org.omg.PortableInterceptor.ORBInitializerClass.";

  private static final String SINGLETON = "org.omg.CORBA.ORBSingletonClass";

  private final OrbKind kind;
  private @Nullable ORB clients;

  /** Starts nothing yet. */
  public PortableOrb(OrbKind kind) {
    this.kind = kind;
  }

  @Override
  public Listener listen(InetSocketAddress address, CallHandler handler) throws IOException {
    try {
      return OrbListener.open(start(kind.serverProperties(address)), kind, handler);
    } catch (SystemException e) {
      throw new IOException(
          "cannot listen at " + address + " over " + kind.middleware() + ": " + e, e);
    }
  }

  /**
   * Goes from one endpoint of the reference to the next itself: the GlassFish ORB calls the first
   * alone, again and again.
   */
  @Override
  public CallChannel connect(Endpoint endpoint, Duration timeout) throws IOException {
    List<String> places = references().split(endpoint.key());
    IOException failure = new IOException(endpoint.replica() + " is nowhere");
    Duration each = timeout.dividedBy(places.size());
    for (String place : places) {
      try {
        return connect(place, endpoint, each);
      } catch (CallFailedException | SystemException e) {
        failure = failure(endpoint, e);
      }
    }
    throw failure;
  }

  private CallChannel connect(String place, Endpoint endpoint, Duration timeout)
      throws IOException, CallFailedException {
    try {
      return checked(place, endpoint, timeout);
    } catch (CallFailedException e) {
      if (e.timedOut()) {
        throw e;
      }
    }
    // The ORB may have met the end of an old connection; it opens a new one now.
    return checked(place, endpoint, timeout);
  }

  private CallChannel checked(String place, Endpoint endpoint, Duration timeout)
      throws IOException, CallFailedException {
    try (OrbClasses _ = new OrbClasses()) {
      OrbChannel channel =
          new OrbChannel(new CarrierStub(clients().string_to_object(place)), endpoint);
      channel.check(timeout);
      return channel;
    }
  }

  private static IOException failure(Endpoint endpoint, Exception e) {
    return new IOException("no connection to " + endpoint.replica() + ": " + e.getMessage(), e);
  }

  @Override
  public String merge(List<String> references) throws IOException {
    return references().merge(references);
  }

  private References references() throws IOException {
    try (OrbClasses _ = new OrbClasses()) {
      return new References(clients());
    } catch (UserException e) {
      throw new IOException("the ORB reads no references: " + e, e);
    }
  }

  private synchronized ORB clients() throws IOException {
    ORB known = clients;
    if (known == null) {
      known = start(kind.clientProperties());
      clients = known;
    }
    return known;
  }

  private ORB start(Properties settings) throws IOException {
    settings.setProperty(INITIALIZER + IdentityContext.class.getName(), "");
    try (OrbClasses _ = new OrbClasses()) {
      prepareSingleton(settings.getProperty(SINGLETON));
      return ORB.init(new String[0], settings);
    } catch (SystemException | LinkageError e) {
      throw new MiddlewareUnavailableException(
          "The middleware " + kind.middleware() + " does not start: " + e, e);
    }
  }

  /**
   * Makes the ORB that creates type codes before a property of the program, which another ORB may
   * have set, can name a class of that other one.
   */
  private static void prepareSingleton(String implementation) {
    OrbKind.withProperty(SINGLETON, implementation, ORB::init);
  }
}
