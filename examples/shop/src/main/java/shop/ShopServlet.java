package shop;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpSession;
import java.io.IOException;
import java.sql.SQLException;
import org.terrace.invocation.BusinessException;

/**
 * The shop's pages: {@code POST /cart?product=tea&pieces=2}, {@code GET /cart}, {@code POST
 * /order}. Nothing in it knows that sessions are replicated or that the order book is elsewhere.
 */
final class ShopServlet extends HttpServlet {
  private final Orders orders;

  ShopServlet(Orders orders) {
    this.orders = orders;
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    response.getWriter().println(text(cartOf(request)));
  }

  @Override
  protected void doPost(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    HttpSession session = request.getSession(true);
    if (request.getServletPath().equals("/cart")) {
      int pieces = Integer.parseInt(request.getParameter("pieces"));
      Cart cart = new Cart(request.getParameter("product"), pieces);
      session.setAttribute("cart", cart);
      response.getWriter().println(text(cart));
      return;
    }
    Cart cart = cartOf(request);
    if (cart == null) {
      response.sendError(HttpServletResponse.SC_CONFLICT, "The cart is empty.");
      return;
    }
    try {
      int left = orders.place(session.getId(), cart.product(), cart.pieces());
      session.removeAttribute("cart");
      response.getWriter().println("ordered " + text(cart) + "; " + left + " left");
    } catch (BusinessException refusal) {
      response.sendError(HttpServletResponse.SC_CONFLICT, refusal.getMessage());
    } catch (SQLException e) {
      response.sendError(HttpServletResponse.SC_INTERNAL_SERVER_ERROR, e.getMessage());
    }
  }

  private static Cart cartOf(HttpServletRequest request) {
    HttpSession session = request.getSession(false);
    return session == null ? null : (Cart) session.getAttribute("cart");
  }

  private static String text(Cart cart) {
    return cart == null ? "nothing" : cart.pieces() + " x " + cart.product();
  }
}
