package org.terrace.middleware.corba.orb;

import org.jspecify.annotations.Nullable;
import org.omg.CORBA.BAD_PARAM;
import org.omg.CORBA.LocalObject;
import org.omg.IOP.ServiceContext;
import org.omg.PortableInterceptor.ClientRequestInfo;
import org.omg.PortableInterceptor.ClientRequestInterceptor;
import org.omg.PortableInterceptor.ORBInitInfo;
import org.omg.PortableInterceptor.ORBInitInfoPackage.DuplicateName;
import org.omg.PortableInterceptor.ORBInitializer;
import org.omg.PortableInterceptor.ServerRequestInfo;
import org.omg.PortableInterceptor.ServerRequestInterceptor;
import org.terrace.core.RequestIdentity;
import org.terrace.core.codec.MalformedDataException;

/**
 * Interceptors that carry a request's identity in FT_REQUEST, from the thread that calls to the
 * thread that serves. Each ORB makes one by its name.
 */
public final class IdentityContext extends LocalObject implements ORBInitializer {
  private static final String NAME = "terrace-identity";
  private static final ThreadLocal<@Nullable FaultToleranceRequest> SENT = new ThreadLocal<>();
  private static final ThreadLocal<@Nullable RequestIdentity> RECEIVED = new ThreadLocal<>();

  /** Made by an ORB. */
  public IdentityContext() {}

  /** Names the requests that this thread sends; null for none. */
  static void send(@Nullable FaultToleranceRequest request) {
    if (request == null) {
      SENT.remove();
    } else {
      SENT.set(request);
    }
  }

  /** The identity of the request that this thread serves; null if it came without. */
  static @Nullable RequestIdentity received() {
    return RECEIVED.get();
  }

  @Override
  public void pre_init(ORBInitInfo info) {
    try {
      info.add_client_request_interceptor(new Sender());
      info.add_server_request_interceptor(new Receiver());
    } catch (DuplicateName e) {
      throw new IllegalStateException("an ORB is initialised twice", e);
    }
  }

  @Override
  public void post_init(ORBInitInfo info) {}

  private static final class Sender extends LocalObject implements ClientRequestInterceptor {
    @Override
    public String name() {
      return NAME;
    }

    @Override
    public void send_request(ClientRequestInfo info) {
      FaultToleranceRequest request = SENT.get();
      if (request != null) {
        info.add_request_service_context(
            new ServiceContext(FaultToleranceRequest.FT_REQUEST, request.encode()), true);
      }
    }

    @Override
    public void send_poll(ClientRequestInfo info) {}

    @Override
    public void receive_reply(ClientRequestInfo info) {}

    @Override
    public void receive_exception(ClientRequestInfo info) {}

    @Override
    public void receive_other(ClientRequestInfo info) {}

    @Override
    public void destroy() {}
  }

  private static final class Receiver extends LocalObject implements ServerRequestInterceptor {
    @Override
    public String name() {
      return NAME;
    }

    @Override
    public void receive_request_service_contexts(ServerRequestInfo info) {}

    /** Runs on the thread that serves, unlike the one before it. */
    @Override
    public void receive_request(ServerRequestInfo info) {
      RECEIVED.remove();
      try {
        ServiceContext context = info.get_request_service_context(FaultToleranceRequest.FT_REQUEST);
        RECEIVED.set(FaultToleranceRequest.decode(context.context_data).identity());
      } catch (BAD_PARAM | MalformedDataException e) {
        // A call without an identity is rejected by the servant.
      }
    }

    @Override
    public void send_reply(ServerRequestInfo info) {
      RECEIVED.remove();
    }

    @Override
    public void send_exception(ServerRequestInfo info) {
      RECEIVED.remove();
    }

    @Override
    public void send_other(ServerRequestInfo info) {
      RECEIVED.remove();
    }

    @Override
    public void destroy() {}
  }
}
