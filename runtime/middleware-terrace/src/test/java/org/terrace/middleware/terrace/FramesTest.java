package org.terrace.middleware.terrace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.terrace.core.RequestIdentity;
import org.terrace.core.codec.Decoder;
import org.terrace.core.codec.Encoder;
import org.terrace.core.codec.MalformedDataException;
import org.terrace.middleware.CallRequest;
import org.terrace.testing.Seeds;

class FramesTest {
  private static final int MUTATIONS = 200_000;
  private static final int HEADER_BYTES = 4;

  @Test
  void aCallIsReadAsItWasWritten() {
    RandomGenerator random = Seeds.generator(Seeds.next("FramesTest"));
    for (int i = 0; i < 1_000; i++) {
      CallRequest request = request(random);
      Decoder in = new Decoder(content(request, i));
      Frames.expect(in, Frames.CALL);
      Frames.NumberedCall read = Frames.getCall(in);

      assertThat(read.number()).isEqualTo(i);
      assertThat(read.request()).usingRecursiveComparison().isEqualTo(request);
    }
  }

  @Test
  void damagedFramesAreRefusedAndNothingElseHappens() {
    RandomGenerator random = Seeds.generator(Seeds.next("FramesTest"));
    int refused = 0;
    for (int i = 0; i < MUTATIONS; i++) {
      byte[] content = damage(content(request(random), i), random);
      try {
        Decoder in = new Decoder(content);
        int kind = in.getByte();
        if (kind == Frames.CALL) {
          Frames.getCall(in);
        } else if (kind == Frames.REPLY) {
          Frames.getReply(in);
        } else if (kind == Frames.HELLO) {
          Frames.getHello(new Decoder(content));
        }
      } catch (MalformedDataException e) {
        refused++;
      }
    }

    assertThat(refused).isGreaterThan(MUTATIONS / 10);
  }

  private static byte[] content(CallRequest request, long number) {
    Encoder out = new Encoder();
    Frames.putCall(out, number, request);
    return Arrays.copyOfRange(out.array(), HEADER_BYTES, out.length());
  }

  private static CallRequest request(RandomGenerator random) {
    byte[] arguments = new byte[random.nextInt(40)];
    random.nextBytes(arguments);
    return new CallRequest(
        "service" + random.nextInt(10),
        "method:" + Long.toHexString(random.nextLong()),
        new RequestIdentity(random.nextLong(), random.nextLong(1, Long.MAX_VALUE)),
        random.nextLong(1, Long.MAX_VALUE),
        random.nextLong(Long.MAX_VALUE),
        random.nextBoolean(),
        arguments);
  }

  private static byte[] damage(byte[] content, RandomGenerator random) {
    byte[] damaged = content;
    int times = 1 + random.nextInt(3);
    for (int i = 0; i < times && damaged.length > 1; i++) {
      if (random.nextInt(3) == 0) {
        damaged = Arrays.copyOf(damaged, 1 + random.nextInt(damaged.length + 8));
      } else {
        damaged[random.nextInt(damaged.length)] = (byte) random.nextInt();
      }
    }
    return damaged;
  }
}
