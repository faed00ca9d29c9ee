package org.terrace.middleware.corba.orb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.Serializable;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.omg.CORBA.ORB;
import org.omg.CORBA.SystemException;
import org.omg.CORBA.portable.ObjectImpl;
import org.terrace.core.RequestIdentity;
import org.terrace.middleware.CallChannel;
import org.terrace.middleware.CallReply;
import org.terrace.middleware.CallRequest;
import org.terrace.middleware.CarriedCalls;
import org.terrace.middleware.Listener;
import org.terrace.middleware.corba.OrbKind;

/** IIOP can carry Java objects as values; a replica reads sequences of octets alone. */
class ForgedValueTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  /** Leaves a trace where it is deserialised. */
  public static final class Trace implements Serializable {
    private static final AtomicInteger DESERIALISED = new AtomicInteger();
    private static final long serialVersionUID = 1;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      DESERIALISED.incrementAndGet();
    }
  }

  @Test
  void aValueInTheArgumentsPlaceIsRefusedUnreadAndTheReplicaGoesOn() throws Exception {
    PortableOrb orbs = new PortableOrb(OrbKind.GLASSFISH);
    CarriedCalls calls = new CarriedCalls();
    ORB forger = ORB.init(new String[0], OrbKind.GLASSFISH.clientProperties());
    try (Listener listener = orbs.listen(new InetSocketAddress("127.63.2.2", 0), calls)) {
      String reference = listener.endpoint("server1").key();
      ObjectImpl target = (ObjectImpl) forger.string_to_object(reference);

      assertThatThrownBy(() -> sendValue(target)).isInstanceOf(SystemException.class);

      assertThat(Trace.DESERIALISED).hasValue(0);
      assertThat(calls.count()).isZero();
      try (CallChannel channel = orbs.connect(listener.endpoint("server1"), PATIENCE)) {
        assertThat(channel.call(echo(), PATIENCE).status()).isEqualTo(CallReply.Status.RESULT);
      }
    } finally {
      forger.destroy();
    }
  }

  private static void sendValue(ObjectImpl target) throws Exception {
    var out = (org.omg.CORBA_2_3.portable.OutputStream) target._request(CarrierStub.CALL, true);
    out.write_value(new Trace());
    target._releaseReply(target._invoke(out));
  }

  private static CallRequest echo() {
    return new CallRequest(
        "carried",
        CarriedCalls.ECHO,
        new RequestIdentity(7, 1),
        1,
        PATIENCE.toNanos(),
        true,
        new byte[] {1});
  }
}
