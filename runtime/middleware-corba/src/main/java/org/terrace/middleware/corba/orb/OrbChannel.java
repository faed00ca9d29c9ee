package org.terrace.middleware.corba.orb;

import org.omg.CORBA.CompletionStatus;
import org.omg.CORBA.SystemException;
import org.omg.CORBA.TIMEOUT;
import org.terrace.core.codec.MalformedDataException;
import org.terrace.middleware.BlockingChannel;
import org.terrace.middleware.CallCodec;
import org.terrace.middleware.CallFailedException;
import org.terrace.middleware.CallReply;
import org.terrace.middleware.CallRequest;
import org.terrace.middleware.Endpoint;

/** A client's way to one object reference. */
final class OrbChannel extends BlockingChannel {
  /** A reply is kept until its client says that it has it: there is no end by the clock. */
  private static final long NEVER = Long.MAX_VALUE;

  private final CarrierStub stub;
  private final String replica;

  OrbChannel(CarrierStub stub, Endpoint endpoint) {
    super(endpoint.replica());
    this.stub = stub;
    replica = endpoint.replica();
  }

  @Override
  protected CallReply exchange(CallRequest request) throws CallFailedException {
    IdentityContext.send(new FaultToleranceRequest(request.identity(), NEVER));
    try (OrbClasses _ = new OrbClasses()) {
      return CallCodec.decodeReply(stub.call(CallCodec.encode(request)));
    } catch (SystemException e) {
      throw failure(e);
    } catch (MalformedDataException e) {
      throw new CallFailedException(true, false, replica + " replied: " + e.getMessage(), e);
    } finally {
      IdentityContext.send(null);
    }
  }

  @Override
  protected void ping() throws CallFailedException {
    try (OrbClasses _ = new OrbClasses()) {
      stub.check();
    } catch (SystemException e) {
      throw failure(e);
    }
  }

  private CallFailedException failure(SystemException e) {
    boolean executed = e.completed.value() != CompletionStatus._COMPLETED_NO;
    return new CallFailedException(
        executed, e instanceof TIMEOUT, replica + " is gone: " + e.getClass().getSimpleName(), e);
  }

  @Override
  protected void release() {
    stub._release();
  }
}
