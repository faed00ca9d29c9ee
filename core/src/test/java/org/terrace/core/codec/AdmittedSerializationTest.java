package org.terrace.core.codec;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.lang.reflect.Proxy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Nothing but admitted classes is made of bytes, and nothing else is written. */
class AdmittedSerializationTest {
  private static final AtomicInteger GADGETS = new AtomicInteger();
  private static final String CART = Cart.class.getName();

  /** A value that an application keeps. */
  static final class Cart implements Serializable {
    private static final long serialVersionUID = 1L;
    final ArrayList<Object> items = new ArrayList<>();
  }

  /** A class that somebody would like to have made here. */
  static final class Gadget implements Serializable {
    private static final long serialVersionUID = 1L;

    private void readObject(ObjectInputStream in) throws IOException, ClassNotFoundException {
      in.defaultReadObject();
      GADGETS.incrementAndGet();
    }
  }

  private static byte[] serialized(Object value) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(value);
    }
    return bytes.toByteArray();
  }

  private static Object roundTrip(AdmittedSerialization form, Object value) {
    return form.decode(form.encode(value), AdmittedSerializationTest.class.getClassLoader());
  }

  @Test
  void whatIsAdmittedComesBackWithValuesOfTheJdk() {
    AdmittedSerialization form = new AdmittedSerialization(List.of(CART));
    Cart cart = new Cart();
    cart.items.addAll(
        List.of("text", 7, List.of(1L, 2L), Map.of("k", UUID.randomUUID()), Instant.EPOCH));
    cart.items.add(new int[] {1, 2});
    cart.items.add(new Object[] {"a", new HashMap<>(Map.of(1, 2))});
    TreeMap<String, Integer> anyCase = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    anyCase.put("Accept", 1);
    cart.items.add(anyCase); // as Spring Security keeps the headers of a request
    Cart back = (Cart) roundTrip(form, cart);

    assertThat(back.items.subList(0, 5)).isEqualTo(cart.items.subList(0, 5));
    assertThat((int[]) back.items.get(5)).containsExactly(1, 2);
    assertThat((Object[]) back.items.get(6)).containsExactly("a", Map.of(1, 2));
    assertThat((Map<?, ?>) back.items.get(7)).extracting("accept").isEqualTo(1);
  }

  @Test
  void noObjectOfAnotherClassIsMadeOfBytes() throws IOException {
    AdmittedSerialization form = new AdmittedSerialization(List.of(CART));
    Cart cart = new Cart();
    cart.items.add(new Gadget());
    ClassLoader loader = getClass().getClassLoader();
    for (Object bad : List.of(new Gadget(), cart, new Gadget[] {new Gadget()})) {
      byte[] forged = serialized(bad);
      assertThatThrownBy(() -> form.decode(forged, loader))
          .isInstanceOf(MalformedDataException.class)
          .hasMessageContaining("Gadget")
          .hasMessageContaining("not among the admitted classes");
      assertThat(GADGETS).hasValue(0);
      assertThatThrownBy(() -> form.encode(bad))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("Gadget");
    }
    Object proxy =
        Proxy.newProxyInstance(
            loader,
            new Class<?>[] {Runnable.class},
            (Serializable & java.lang.reflect.InvocationHandler) (self, method, arguments) -> null);
    byte[] forged = serialized(proxy);
    assertThatThrownBy(() -> form.decode(forged, loader))
        .isInstanceOf(MalformedDataException.class);
  }

  @Test
  void limitsHold() throws IOException {
    AdmittedSerialization form = new AdmittedSerialization(List.of(CART));
    ArrayList<Object> deep = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      deep = new ArrayList<>(List.of(deep));
    }
    byte[] forged = serialized(deep);
    assertThatThrownBy(() -> form.decode(forged, null)).isInstanceOf(MalformedDataException.class);
    assertThatThrownBy(() -> form.encode(new byte[2_000_000]))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> form.decode(new byte[] {1, 2, 3}, null))
        .isInstanceOf(MalformedDataException.class);
  }

  @Test
  void everythingIsNoNameOfAClass() {
    for (String name : List.of("*", "**", "", "!java.lang.String", "a.*;b", "maxdepth=1")) {
      assertThatThrownBy(() -> new AdmittedSerialization(List.of(name)))
          .as(name)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("package.*");
    }
  }
}
