import { expect, test } from 'vitest';
import { trueMinus } from './true-minus.ts';

test('what is written as nothing has no minus before it, and what is not has a true one', () => {
  const whole = new Intl.NumberFormat('pt-BR', { maximumFractionDigits: 0 });
  const money = new Intl.NumberFormat('pt-BR', { style: 'currency', currency: 'BRL' });
  expect([-0.4, -0, 0, -10].map((value) => trueMinus(whole.format(value)))).toEqual(['0', '0', '0', '−10']);
  expect([-0.001, -1.5].map((value) => trueMinus(money.format(value)).replace(/\s/, ' '))).toEqual([
    'R$ 0,00',
    '−R$ 1,50',
  ]);
});
