package org.terrace.middleware.ejb;

import jakarta.ejb.EJBException;
import jakarta.ejb.NoSuchEJBException;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;
import javax.naming.Context;
import javax.naming.NamingException;
import org.apache.openejb.client.ClientSecurity;
import org.apache.openejb.client.RemoteInitialContextFactory;
import org.jspecify.annotations.Nullable;
import org.terrace.core.codec.MalformedDataException;
import org.terrace.middleware.BlockingChannel;
import org.terrace.middleware.CallCodec;
import org.terrace.middleware.CallFailedException;
import org.terrace.middleware.CallReply;
import org.terrace.middleware.CallRequest;
import org.terrace.middleware.Endpoint;

/** A client's way to the bean of one replica, or of several one after the other. */
final class EjbChannel extends BlockingChannel {
  private static final int CAUSES_MAX = 16;

  static {
    EjbLogs.quieten();
    // The default resolver asks for the current Subject in a way that this Java no longer has.
    ClientSecurity.setIdentityResolver(() -> null);
  }

  private final Carrier bean;
  private final String replica;

  private EjbChannel(Carrier bean, Endpoint endpoint) {
    super(endpoint.replica());
    this.bean = bean;
    replica = endpoint.replica();
  }

  static EjbChannel open(Endpoint endpoint, Duration timeout) throws IOException {
    AdmittedClasses.enforce();
    List<String> places = new ArrayList<>();
    places.add("ejbd://" + endpoint.host() + ":" + endpoint.port());
    Stream.of(endpoint.key().split(",", -1))
        .skip(1)
        .map(place -> "ejbd://" + place)
        .forEach(places::add);
    Properties settings = new Properties();
    settings.setProperty(
        Context.PROVIDER_URL,
        places.size() == 1 ? places.getFirst() : "failover:" + String.join(",", places));
    try {
      EjbChannel channel = new EjbChannel(find(settings), endpoint);
      channel.check(timeout);
      return channel;
    } catch (NamingException | CallFailedException | RuntimeException e) {
      throw new IOException("no connection to " + endpoint.replica() + ": " + e, e);
    }
  }

  /**
   * OpenEJB's factory of contexts is the context that it makes, and Java keeps one factory of a
   * name: through it, two replicas that are looked up at once would be one and the same.
   */
  @SuppressWarnings("BanJNDI") // the protocol's only door; the name is a constant of this module
  private static Carrier find(Properties settings) throws NamingException {
    Context fresh = new RemoteInitialContextFactory().getInitialContext(settings);
    return (Carrier) fresh.lookup(CarrierBean.JNDI_NAME);
  }

  @Override
  protected CallReply exchange(CallRequest request) throws CallFailedException {
    try {
      return CallCodec.decodeReply(
          bean.call(
              request.identity().client(),
              request.identity().sequence(),
              CallCodec.encode(request)));
    } catch (MalformedDataException e) {
      throw new CallFailedException(true, false, replica + " replied: " + e.getMessage(), e);
    } catch (EJBException e) {
      throw failure(e);
    }
  }

  @Override
  protected void ping() throws CallFailedException {
    try {
      bean.check();
    } catch (EJBException e) {
      throw failure(e);
    }
  }

  /** Only a connection that was refused, or a bean that is not there, ran nothing for sure. */
  private CallFailedException failure(EJBException e) {
    boolean executed = !(e instanceof NoSuchEJBException) && !isRefused(e);
    return new CallFailedException(executed, false, replica + " is gone: " + e.getMessage(), e);
  }

  private static boolean isRefused(Throwable failure) {
    @Nullable Throwable each = failure;
    for (int depth = 0; each != null && depth < CAUSES_MAX; depth++) {
      if (each instanceof ConnectException) {
        return true;
      }
      each = each.getCause();
    }
    return false;
  }

  /** The protocol's connections belong to a pool of the program, which closes idle ones. */
  @Override
  protected void release() {}
}
