/** More data sets and larger tasks over HTTP. */
import { checkDataset, linesOf, ofRaces } from './datasets.ts';

checkDataset({
  name: 'berka',
  task: 'loan-default',
  labelsFrom: '1993-01-01',
  later: { table: 'trans', isLater: ({ date }) => date > '1997-11-15' },
  knownUntil: '1997-11-15',
  rows() {
    const loans = new Map(linesOf('berka', 'tables/loan.csv').map((loan) => [loan.loan_id, loan]));
    const asked = linesOf('berka', 'tasks/loan-default/test.csv').slice(0, 50);
    // A new loan is asked about at its own moment, whether a day is given or not.
    return asked.map(({ loan_id, date }, at) => ({ day: at % 5 === 4 ? null : date, inputs: loans.get(loan_id)! }));
  },
});

checkDataset(ofRaces({ task: 'driver-dnf', labelsFrom: '1950-01-01', laterTable: 'results' }));
checkDataset(ofRaces({ task: 'driver-position', labelsFrom: '1950-01-01', laterTable: 'results' }));
