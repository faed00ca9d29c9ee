package org.terrace.middleware.corba.orb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.Properties;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.omg.CORBA.Any;
import org.omg.CORBA.ORB;
import org.omg.CORBA.StructMember;
import org.omg.CORBA.TCKind;
import org.omg.CORBA.portable.InputStream;
import org.omg.IOP.Codec;
import org.omg.IOP.CodecFactoryHelper;
import org.omg.IOP.ENCODING_CDR_ENCAPS;
import org.omg.IOP.Encoding;
import org.terrace.core.RequestIdentity;
import org.terrace.core.codec.MalformedDataException;
import org.terrace.testing.Seeds;

class FaultToleranceRequestTest {

  @Test
  void everyIdentityComesBack() {
    RandomGenerator random = Seeds.generator(Seeds.next("everyIdentityComesBack"));
    for (int round = 0; round < 10_000; round++) {
      long sequence = Math.max(1, random.nextLong() >>> random.nextInt(1, 64));
      FaultToleranceRequest request =
          new FaultToleranceRequest(
              new RequestIdentity(random.nextLong(), sequence), random.nextLong());

      assertThat(FaultToleranceRequest.decode(request.encode())).isEqualTo(request);
    }
  }

  @Test
  void anOrbReadsItAsTheStructOfTheStandard() throws Exception {
    Properties settings = new Properties();
    settings.setProperty("org.omg.CORBA.ORBClass", "com.sun.corba.ee.impl.orb.ORBImpl");
    settings.setProperty(
        "org.omg.CORBA.ORBSingletonClass", "com.sun.corba.ee.impl.orb.ORBSingleton");
    ORB orb = ORB.init(new String[0], settings);
    Codec codec =
        CodecFactoryHelper.narrow(orb.resolve_initial_references("CodecFactory"))
            .create_codec(new Encoding(ENCODING_CDR_ENCAPS.value, (byte) 1, (byte) 2));
    StructMember[] members = {
      new StructMember("client_id", orb.create_string_tc(0), null),
      new StructMember("retention_id", orb.get_primitive_tc(TCKind.tk_long), null),
      new StructMember("expiration_time", orb.get_primitive_tc(TCKind.tk_ulonglong), null)
    };
    byte[] encoded =
        new FaultToleranceRequest(new RequestIdentity(0xabcL, (5L << 31) | 42), 77).encode();

    Any any =
        codec.decode_value(
            encoded,
            orb.create_struct_tc(
                "IDL:omg.org/FT/FTRequestServiceContext:1.0", "FTRequestServiceContext", members));

    InputStream in = any.create_input_stream();
    assertThat(in.read_string()).isEqualTo("abc.5");
    assertThat(in.read_long()).isEqualTo(42);
    assertThat(in.read_ulonglong()).isEqualTo(77);
    orb.destroy();
  }

  @Test
  void damagedBytesAreRefused() {
    byte[] good = new FaultToleranceRequest(new RequestIdentity(1, 1), 1).encode();
    for (int length = 0; length < good.length; length++) {
      byte[] cut = Arrays.copyOf(good, length);
      assertThatThrownBy(() -> FaultToleranceRequest.decode(cut))
          .isInstanceOf(MalformedDataException.class);
    }
    byte[] huge = good.clone();
    huge[4] = 0x7f;
    assertThatThrownBy(() -> FaultToleranceRequest.decode(huge))
        .isInstanceOf(MalformedDataException.class);
  }
}
