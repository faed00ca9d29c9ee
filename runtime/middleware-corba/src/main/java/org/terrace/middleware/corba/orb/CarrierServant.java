package org.terrace.middleware.corba.orb;

import org.jspecify.annotations.Nullable;
import org.omg.CORBA.BAD_OPERATION;
import org.omg.CORBA.CompletionStatus;
import org.omg.CORBA.portable.InputStream;
import org.omg.CORBA.portable.InvokeHandler;
import org.omg.CORBA.portable.OutputStream;
import org.omg.CORBA.portable.ResponseHandler;
import org.omg.PortableServer.POA;
import org.omg.PortableServer.Servant;
import org.terrace.core.RequestIdentity;
import org.terrace.middleware.CallCodec;
import org.terrace.middleware.CallHandler;

/** The server's end of {@code terrace::Carrier}, as the mapping of IDL to Java has it. */
final class CarrierServant extends Servant implements InvokeHandler {
  private final CallHandler handler;

  CarrierServant(CallHandler handler) {
    this.handler = handler;
  }

  @Override
  public String[] _all_interfaces(POA poa, byte[] objectId) {
    return new String[] {CarrierStub.TYPE};
  }

  @Override
  public OutputStream _invoke(String method, InputStream in, ResponseHandler reply) {
    return switch (method) {
      case CarrierStub.CALL -> {
        byte[] answer = serve(CarrierStub.read(in), IdentityContext.received());
        OutputStream out = reply.createReply();
        CarrierStub.write(out, answer);
        yield out;
      }
      case CarrierStub.CHECK -> reply.createReply();
      default -> throw new BAD_OPERATION(0, CompletionStatus.COMPLETED_NO);
    };
  }

  private byte[] serve(byte[] request, @Nullable RequestIdentity identity) {
    return identity == null
        ? CallCodec.encode(
            CallCodec.rejection("the request has no service context FT_REQUEST, or a damaged one"))
        : CallCodec.serve(handler, identity, request);
  }
}
